#include "extract/polling/nap_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

// What a thread may do between two naps takes this part of a nap at most, if that is more than a look.
constexpr std::int64_t nap_over_work = 20;
// Naps of one row: those by absolute deadlines differ by how late the thread is.
constexpr double most_over_least = 1.5;
// A thread that waited in vain once, and did something, may have given up before it waited for the next
// thing.
constexpr std::size_t fewest_satisfied_naps = 2;

bool is_nap(Event const& event) {
    if (event.kind == EventKind::sleep)
        return event.outcome == Outcome::done && event.value > 0;
    if (event.kind == EventKind::poll && !event.blocked)
        return false;
    return nap_kinds.contains(event.kind) && event.outcome == Outcome::timed_out && event.span_ns > 0;
}

// By another thread that cancels this one, as late as that may be. A signal after which the thread ends looks
// the same.
bool is_cut_short(Event const& event) {
    return event.outcome == Outcome::cut_off ||
           (event.kind == EventKind::sleep && event.outcome == Outcome::failed);
}

// Those that another thread ended have a reason of their own.
std::vector<NapRow> split_off_cancelled(std::vector<NapRow>& rows) {
    auto const cancelled = std::ranges::stable_partition(rows, std::not_fn(&NapRow::is_cancelled));
    std::vector<NapRow> result(cancelled.begin(), cancelled.end());
    rows.erase(cancelled.begin(), cancelled.end());
    return result;
}

bool has_long_row(NapGroup const& group) {
    return std::ranges::any_of(group.rows,
                               [](NapRow const& row) { return row.naps.size() >= fewest_naps_of_a_row; });
}

// By event: whether it belongs to a lock made of something else, as interpreters have them. A semaphore: the
// thread takes a unit and gives it back next. A condition (Python's interpreter lock): it waits, with or
// without a time limit, and signals next.
std::vector<bool> is_of_made_locks(EventList const& events) {
    std::vector<bool> found(events.size());
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> taken;  // since the last release, by object
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        Event const event = events[i];
        bool const is_done = event.outcome == Outcome::done;
        bool const takes_unit = is_done && (event.kind == EventKind::semaphore_wait ||
                                            event.kind == EventKind::try_semaphore_wait);
        bool const waits =
            event.kind == EventKind::condition_wait || event.kind == EventKind::timed_condition_wait;
        if (takes_unit)
            taken[event.object.value] = {i};
        if (waits)
            taken[event.object.value].push_back(i);
        if (event.kind != EventKind::semaphore_post && event.kind != EventKind::condition_signal)
            continue;
        auto const at = taken.find(event.object.value);
        if (at == taken.end())
            continue;
        if (Event const last = events[at->second.back()]; last.outcome == Outcome::done) {
            for (std::uint32_t const each : at->second)
                found[each] = true;
            found[i] = true;
        }
        taken.erase(at);
    }
    return found;
}

// A thread that only looks asks, and perhaps prints how far the others are.
bool may_be_look(Event const& event, Step const& step) {
    bool const is_planned = step.form == Step::Form::operation;
    switch (event.kind) {
        case EventKind::yield:
        case EventKind::object_init:
        case EventKind::object_destroy: return true;
        case EventKind::output: return !is_planned || is_delay(step.kind);  // else another thread reads it
        case EventKind::condition_signal:
        case EventKind::condition_broadcast:
        case EventKind::futex_wake: return !is_planned;  // nobody was released
        case EventKind::try_semaphore_wait: return event.outcome == Outcome::failed;
        case EventKind::input:
        case EventKind::poll:
        case EventKind::open_close: return !event.blocked;
        default: return acquires_lock(event.kind) || releases_lock(event.kind);
    }
}

bool only_looks(EventList const& events, StepList const& steps, std::vector<bool> const& is_lock,
                std::uint32_t earlier, std::uint32_t later, std::int64_t length_ns) {
    if (later - earlier > most_calls_of_a_look)
        return false;
    std::int64_t const most_ns = std::max(predicate_ns, length_ns / nap_over_work);
    std::int64_t cpu_ns = 0;
    for (std::uint32_t i = earlier + 1; i <= later; ++i) {
        Event const event = events[i];
        cpu_ns += event.cpu_ns + (i < later ? event.cpu_inside_ns : 0);
        if (cpu_ns > most_ns || (i < later && !is_lock[i] && !may_be_look(event, steps[i])))
            return false;
    }
    return true;
}

bool about_as_long(Event const& a, Event const& b) {
    // How long a poll was to last is not recorded.
    if (a.kind == EventKind::poll)
        return true;
    auto const [least, most] = std::minmax({nap_ns(a), nap_ns(b)});
    return static_cast<double>(most) <= most_over_least * static_cast<double>(least);
}

// The process ended while the thread went on napping.
bool is_unfinished(EventList const& events, StepList const& steps, std::uint32_t last_nap) {
    if (events.back().outcome != Outcome::cut_off)
        return false;
    for (std::uint32_t i = last_nap + 1; i < events.size(); ++i)
        if (Event const event = events[i]; event.outcome != Outcome::cut_off && !may_be_look(event, steps[i]))
            return false;
    return true;
}

using NapPlace = std::tuple<SiteId, EventKind, ThreadId>;

// A thread that does a little each time that a wait of one place runs out, until another thread ends that
// wait: a timer that is stopped. The naps need not be alike, as those of a row are; what the thread does
// between the first and the end of the wait is next to nothing of the time, and nobody waits for any of it.
class TimerSearch {
public:
    explicit TimerSearch(std::vector<NapRow>& satisfied) : satisfied_(satisfied) {}

    // By event: whether it is a nap of a timer.
    std::vector<bool> search(ThreadId thread, EventList const& events, StepList const& steps) {
        std::vector<bool> found(events.size());
        NapRow row{thread, {}};
        std::int64_t asked_ns = 0;
        std::int64_t cpu_ns = 0;
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            bool const naps = is_nap(event) && !event.object.is_none();
            bool const ends_wait = has_what_it_waits_for(event, steps[i]);
            bool const is_same = !row.naps.empty() && is_of_one_place(events[row.last()], event);
            cpu_ns += event.cpu_ns;
            if (ends_wait && is_same && row.naps.size() >= fewest_naps_of_a_row &&
                cpu_ns <= asked_ns / nap_over_work)
                take(row, found);
            if (ends_wait || (naps ? !is_same : !may_be_look(event, steps[i]))) {
                row.naps.clear();
                asked_ns = cpu_ns = 0;
            }
            if (naps) {
                row.naps.push_back(i);
                asked_ns += nap_ns(event);
            } else {
                cpu_ns += event.cpu_inside_ns;
            }
        }
        return found;
    }

private:
    static bool is_of_one_place(Event const& a, Event const& b) {
        return a.site == b.site && a.object == b.object;
    }

    void take(NapRow const& row, std::vector<bool>& found) {
        satisfied_.push_back(row);
        satisfied_.back().is_satisfied = true;
        for (std::uint32_t const nap : row.naps)
            found[nap] = true;
    }

    std::vector<NapRow>& satisfied_;
};

// Collects the rows of one thread.
class RowSearch {
public:
    RowSearch(Timeline const& recorded, Plan const& plan, std::map<NapPlace, NapGroup>& groups,
              std::vector<NapRow>& satisfied)
        : recorded_(recorded), plan_(plan), groups_(groups), satisfied_(satisfied) {}

    void search(ThreadId thread) {
        auto const& events = recorded_.events[thread.index()];
        auto const is_timer = TimerSearch(satisfied_).search(thread, events, plan_.steps[thread.index()]);
        is_lock_ = is_of_made_locks(events);
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            if (is_timer[i])
                continue;
            if (row_ && is_cancelled_nap(event, i)) {
                row_->naps.push_back(i);
                row_->is_cancelled = true;
                close();
                continue;
            }
            bool const naps = !is_lock_[i] && is_nap(event);
            bool const has_it = !is_lock_[i] && has_what_it_waits_for(event, plan_.steps[thread.index()][i]);
            if (row_ && (naps || has_it)) {
                bool const goes_on = continues(event, i);
                row_->is_satisfied = goes_on && !naps;
                if (!goes_on || !naps)
                    close();
            }
            if (!naps)
                continue;
            if (!row_)
                row_ = NapRow{thread, {}};
            row_->naps.push_back(i);
        }
        close();
    }

private:
    bool continues(Event const& event, std::uint32_t i) const {
        auto const& events = recorded_.events[row_->thread.index()];
        Event const last = events[row_->last()];
        bool const naps = is_nap(event);
        // How long a poll was to last is not recorded: those of several descriptors may differ.
        bool const is_alike = naps ? last.kind == event.kind && about_as_long(last, event) &&
                                         (event.kind != EventKind::poll || last.object == event.object)
                                   : has_waited_for(event.object);
        return is_alike && last.site == event.site && looks_as_before(i) &&
               only_looks(events, plan_.steps[row_->thread.index()], is_lock_, row_->last(), i, nap_ns(last));
    }

    // A thread may wait for several in turn, a moment for each: the futures of its workers.
    bool has_waited_for(ObjectId object) const {
        auto const& events = recorded_.events[row_->thread.index()];
        return !object.is_none() && std::ranges::any_of(row_->naps, [&](std::uint32_t nap) {
            return events[nap].object == object;
        });
    }

    // The thread's end comes next.
    bool is_cancelled_nap(Event const& event, std::uint32_t i) const {
        auto const& events = recorded_.events[row_->thread.index()];
        if (i + 2 != events.size() || !is_cut_short(event))
            return false;
        Event const end = events.back();
        Event const last = events[row_->last()];
        return end.kind == EventKind::thread_end && end.outcome == Outcome::done && event.kind == last.kind &&
               event.site == last.site && looks_as_before(i) &&
               only_looks(events, plan_.steps[row_->thread.index()], is_lock_, row_->last(), i, nap_ns(last));
    }

    // With about as many calls as between the first two naps. A thread that fills a queue under its lock does
    // more than look into it.
    bool looks_as_before(std::uint32_t i) const {
        if (row_->naps.size() < 2)
            return true;
        auto const [least, most] = std::minmax({row_->naps[1] - row_->naps[0], i - row_->last()});
        return most <= 2 * least + 2;
    }

    // A part of a wait that was satisfied in the end, whatever ran out before.
    bool is_part_of_wait() const {
        auto const thread = row_->thread.index();
        Step const step = plan_.steps[thread][row_->last()];
        return recorded_.events[thread][row_->last()].kind != EventKind::sleep &&
               step.form == Step::Form::absorbed;
    }

    void close() {
        if (row_ && row_->is_satisfied) {
            if (row_->naps.size() >= fewest_satisfied_naps)
                satisfied_.push_back(std::move(*row_));
        } else if (row_ && !is_part_of_wait()) {
            add_to_group(std::move(*row_));
        }
        row_.reset();
    }

    void add_to_group(NapRow row) {
        auto const& events = recorded_.events[row.thread.index()];
        Event const first = events[row.first()];
        row.is_unfinished = is_unfinished(events, plan_.steps[row.thread.index()], row.last());
        ThreadId const owner = first.site.is_none() ? row.thread : ThreadId::none();
        NapGroup& group = groups_[{first.site, first.kind, owner}];
        group.site = first.site;
        group.kind = first.kind;
        for (std::uint32_t const nap : row.naps) {
            std::int64_t const length = nap_ns(events[nap]);
            if (row.is_cancelled && nap == row.last())
                continue;
            group.nap_ns = group.nap_ns == 0 ? length : std::min(group.nap_ns, length);
        }
        group.rows.push_back(std::move(row));
    }

    Timeline const& recorded_;
    Plan const& plan_;
    std::map<NapPlace, NapGroup>& groups_;
    std::vector<NapRow>& satisfied_;
    std::vector<bool> is_lock_;  // by event of the thread: is_of_made_locks
    std::optional<NapRow> row_;
};

}  // namespace

std::int64_t nap_ns(Event const& event) {
    return event.kind == EventKind::poll ? event.span_ns : event.value;
}

bool has_what_it_waits_for(Event const& event, Step const& step) {
    bool const is_released = step.form == Step::Form::operation && !is_delay(step.kind);
    return event.outcome == Outcome::done && is_released &&
           (event.kind == EventKind::condition_wait || event.kind == EventKind::semaphore_wait ||
            event.kind == EventKind::futex_wait || nap_kinds.contains(event.kind));
}

void take_no_time(EventReference wait, Plan& plan) {
    auto place = plan.at(wait);
    Step step = place;
    if (step.form != Step::Form::operation || !is_delay(step.kind))
        return;
    step.value = 0;
    place = step.released_mutex == no_object ? Step{} : step;
}

std::int64_t NapGroup::naps() const {
    std::int64_t count = 0;
    for (NapRow const& row : rows)
        count += std::ssize(row.naps);
    return count;
}

std::int64_t NapGroup::asked_ns(Timeline const& recorded) const {
    std::int64_t total = 0;
    for (NapRow const& row : rows)
        for (std::uint32_t const nap : row.naps)
            total += extract::nap_ns(recorded.events[row.thread.index()][nap]);
    return total;
}

Naps find_naps(Timeline const& recorded, Plan const& plan) {
    Naps result;
    std::map<NapPlace, NapGroup> groups;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        if (plan.kinds[thread].intersects(nap_kinds))
            RowSearch(recorded, plan, groups, result.satisfied).search(ThreadId(thread));
    for (auto& [place, group] : groups) {
        NapGroup cancelled = group;
        cancelled.rows = split_off_cancelled(group.rows);
        for (NapGroup* const each : {&group, &cancelled})
            if (has_long_row(*each))
                result.groups.push_back(std::move(*each));
    }
    return result;
}

}  // namespace parcast::extract
