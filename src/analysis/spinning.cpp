#include "analysis/spinning.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace parcast::analysis {

namespace {

bool is_failed_try(Event const& event) {
    return event.outcome == Outcome::failed &&
           (event.kind == EventKind::try_lock || event.kind == EventKind::try_read_lock ||
            event.kind == EventKind::try_write_lock || event.kind == EventKind::try_semaphore_wait);
}

bool is_vain(Event const& event) {
    return event.kind == EventKind::yield || is_failed_try(event);
}

bool continues_row(Event const& previous, Event const& event) {
    bool const is_other_call = previous.kind != event.kind;
    return is_vain(previous) && is_vain(event) && (is_other_call || previous.site == event.site) &&
           event.cpu_ns < between_yields.ns;
}

// What a row waits for is said by its tries, if there are any: the first one.
Event telling_event(EventList const& events, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
        if (is_failed_try(events[i]))
            return events[i];
    return events[first];
}

// What passed between two events of a thread and was not its own CPU time.
Duration time_of_others(Event const& event, Event const& next) {
    return Duration{
        std::max<std::int64_t>(next.wall_ns - event.wall_ns - event.cpu_inside_ns - next.cpu_ns, 0)};
}

// The rows of one site.
struct Rows {
    Spinning found;
    std::int64_t in_long_rows = 0;
    std::int64_t handed_over = 0;

    // A row from `first` up to, but without, `last`. Counted are its tries if it has any, else its yields.
    void add(EventList const& events, std::size_t first, std::size_t last, SpinEvidence evidence) {
        std::int64_t calls = 0;
        for (std::size_t i = first; i < last; ++i) {
            Event const event = events[i];
            calls += is_failed_try(event) == (evidence == SpinEvidence::rows_of_tries) ? 1 : 0;
            found.cpu += Duration{event.cpu_inside_ns + (i > first ? event.cpu_ns : 0)};
            Duration const others = i + 1 < events.size() ? time_of_others(event, events[i + 1]) : Duration{};
            if (others >= analysis::handed_over) {
                ++handed_over;
                found.others += others;
            }
        }
        found.count += calls;
        in_long_rows += calls >= least_row ? calls : 0;
    }
    bool are_waiting() const { return in_long_rows > 0 || handed_over >= least_handed_over; }
};

// True if a site was found.
bool add_rows(ThreadId thread, EventList const& events, std::vector<Spinning>& result) {
    std::map<std::pair<SpinEvidence, SiteId>, Rows> by_site;
    for (std::size_t first = 0; first < events.size();) {
        std::size_t last = first + 1;
        while (last < events.size() && continues_row(events[last - 1], events[last]))
            ++last;
        if (last - first > 1) {
            Event const telling = telling_event(events, first, last);
            auto const evidence =
                is_failed_try(telling) ? SpinEvidence::rows_of_tries : SpinEvidence::rows_of_yields;
            by_site[{evidence, telling.site}].add(events, first, last, evidence);
        }
        first = last;
    }
    std::size_t const before = result.size();
    for (auto& [key, rows] : by_site) {
        if (rows.are_waiting()) {
            rows.found.evidence = key.first;
            rows.found.thread = thread;
            rows.found.site = key.second;
            result.push_back(rows.found);
        }
    }
    return result.size() > before;
}

std::optional<Spinning> polling(ThreadId thread, EventList const& events) {
    Spinning found{SpinEvidence::polling, thread, SiteId::none(), 0, {}, {}};
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind == EventKind::yield) {
            ++found.count;
            found.cpu += Duration{events[i].cpu_inside_ns};
            found.others += i + 1 < events.size() ? time_of_others(events[i], events[i + 1]) : Duration{};
            found.site = events[i].site;
        }
    }
    bool const are_much = found.count * 4 > static_cast<std::int64_t>(events.size());
    return found.count > many_yields && are_much ? std::optional(found) : std::nullopt;
}

// Linux ticks each 1, 3.3, 4 or 10 ms (CONFIG_HZ); multiples of 1 ms are three of them.
constexpr Duration tick_periods[] = {Duration{1'000'000}, Duration{3'333'333}};

bool is_long(Event const& event) {
    return event.switched && event.cpu_ns >= long_stretch.ns;
}

std::optional<Spinning> whole_slices(ThreadId thread, EventList const& events, Duration tick) {
    Spinning found{SpinEvidence::whole_slices, thread, SiteId::none(), 0, {}, {}};
    std::map<std::int64_t, std::int64_t> of_length;  // how many stretches took that many ticks
    std::int64_t most_of_one_length = 0;
    std::int64_t stretches = 0;
    for (Event const& event : events) {
        if (!is_long(event))
            continue;
        ++stretches;
        std::int64_t const ticks = (event.cpu_ns + tick.ns / 2) / tick.ns;
        if (ticks > 0 && std::abs(event.cpu_ns - ticks * tick.ns) <= slice_jitter.ns) {
            ++found.count;
            found.cpu += Duration{event.cpu_ns};
            found.site = event.site;
            most_of_one_length = std::max(most_of_one_length, ++of_length[ticks]);
        }
    }
    bool const are_many = found.count >= least_slices && found.count * 5 >= stretches * 2;
    bool const vary = most_of_one_length * 10 <= found.count * 7;
    return are_many && vary ? std::optional(found) : std::nullopt;
}

std::optional<Spinning> whole_slices(ThreadId thread, EventList const& events) {
    std::optional<Spinning> best;
    for (Duration const tick : tick_periods) {
        auto const found = whole_slices(thread, events, tick);
        if (found && (!best || found->count > best->count))
            best = found;
    }
    return best;
}

}  // namespace

std::vector<Spinning> spinning(Timeline const& recorded) {
    std::vector<Spinning> result;
    for (std::size_t i = 0; i < recorded.events.size(); ++i) {
        ThreadId const thread(i);
        auto const& events = recorded.events[i];
        if (!add_rows(thread, events, result)) {
            if (auto const found = polling(thread, events))
                result.push_back(*found);
        }
        if (auto const found = whole_slices(thread, events))
            result.push_back(*found);
    }
    std::stable_sort(result.begin(), result.end(), [](Spinning const& a, Spinning const& b) {
        return a.evidence != b.evidence ? a.evidence < b.evidence : a.cpu + a.others > b.cpu + b.others;
    });
    return result;
}

}  // namespace parcast::analysis
