#include "analysis/spinning.h"

#include <algorithm>
#include <cstdlib>

namespace parcast::analysis {

namespace {

bool is_failed_try(Event const& event) {
    return event.outcome == Outcome::failed &&
           (event.kind == EventKind::try_lock || event.kind == EventKind::try_read_lock ||
            event.kind == EventKind::try_write_lock || event.kind == EventKind::try_semaphore_wait);
}

bool wakes(EventKind kind) {
    return kind == EventKind::condition_signal || kind == EventKind::condition_broadcast ||
           kind == EventKind::semaphore_post || kind == EventKind::futex_wake;
}

bool is_vain(Event const& event) {
    return event.kind == EventKind::yield || is_failed_try(event);
}

// After a call in vain.
bool continues_row(Event const& previous, Event const& event) {
    bool const is_other_call = previous.kind != event.kind;
    return is_vain(event) && (is_other_call || previous.site == event.site) &&
           event.cpu_ns < between_yields.ns;
}

// What passed between two events of a thread and was not its own CPU time.
Duration time_of_others(Event const& event, Event const& next) {
    return Duration{
        std::max<std::int64_t>(next.wall_ns - event.wall_ns - event.cpu_inside_ns - next.cpu_ns, 0)};
}

// Linux ticks each 1, 3.3, 4 or 10 ms (CONFIG_HZ); multiples of 1 ms are three of them.
constexpr std::array tick_periods{Duration{1'000'000}, Duration{3'333'333}};

bool is_long(Event const& event) {
    return event.switched && event.cpu_ns >= long_stretch.ns;
}

}  // namespace

void SpinningSearch::add(Event const& event) {
    ++state_.events;
    if (is_long(event))
        add_stretch(event);
    if (state_.row || is_vain(event))
        add_to_row(event);
    state_.previous = event.kind;
    if (event.kind == EventKind::yield) {
        ++state_.polling.count;
        state_.polling.cpu += Duration{event.cpu_inside_ns};
        state_.polling.site = event.site;
    }
}

// How long the call in vain before `event` let others run shows now.
void SpinningSearch::leave_previous(Event const& event) {
    Duration const others = time_of_others(state_.row->last, event);
    if (others >= handed_over) {
        ++state_.row->handed_over;
        state_.row->others += others;
    }
    state_.row->looks_again = acquires_lock(event.kind) && event.cpu_ns < between_yields.ns;
    if (state_.row->last.kind == EventKind::yield)
        state_.polling.others += others;
}

void SpinningSearch::add_to_row(Event const& event) {
    bool const continues = state_.row && continues_row(state_.row->last, event);
    if (state_.row)
        leave_previous(event);
    if (!continues)
        end_row();
    if (!is_vain(event))
        return;
    if (!continues) {
        state_.row.emplace().site = event.site;
        state_.row->follows_release = wakes(state_.previous) && event.cpu_ns < between_yields.ns;
    }
    Row& row = *state_.row;
    row.last = event;
    row.cpu += Duration{event.cpu_inside_ns + (continues ? event.cpu_ns : 0)};
    ++row.calls;
    if (is_failed_try(event)) {
        ++row.tries;
        row.try_site = row.try_site.value_or(event.site);
    }
}

// Counted are its tries if it has any, else its yields. One try that fails says nothing.
void SpinningSearch::end_row() {
    bool const is_single = state_.row && state_.row->calls == 1;
    bool const may_wait =
        is_single && state_.row->tries == 0 && state_.row->follows_release && state_.row->looks_again;
    if (state_.row && (!is_single || may_wait)) {
        Row const& row = *state_.row;
        auto const evidence = is_single      ? SpinEvidence::single_yields
                              : row.try_site ? SpinEvidence::rows_of_tries
                                             : SpinEvidence::rows_of_yields;
        std::int64_t const calls = row.try_site ? row.tries : row.calls;
        RowsOfSite& rows = state_.rows[{evidence, row.try_site.value_or(row.site)}];
        rows.found.count += is_single ? row.handed_over : calls;
        rows.found.cpu += row.cpu;
        rows.found.others += row.others;
        rows.in_long_rows += calls >= least_row ? calls : 0;
        rows.handed_over += row.handed_over;
    }
    state_.row.reset();
}

void SpinningSearch::add_stretch(Event const& event) {
    ++state_.stretches;
    for (std::size_t i = 0; i < tick_periods.size(); ++i) {
        Duration const tick = tick_periods[i];
        Slices& slices = state_.slices[i];
        std::int64_t const ticks = (event.cpu_ns + tick.ns / 2) / tick.ns;
        if (ticks > 0 && std::abs(event.cpu_ns - ticks * tick.ns) <= slice_jitter.ns) {
            ++slices.found.count;
            slices.found.cpu += Duration{event.cpu_ns};
            slices.found.site = event.site;
            slices.most_of_one_length = std::max(slices.most_of_one_length, ++slices.of_length[ticks]);
        }
    }
}

void SpinningSearch::end_thread(ThreadId thread) {
    end_row();
    if (!report_rows(thread))
        report_polling(thread);
    report_slices(thread);
    state_ = {};
}

// True if a site was found where the thread surely waits.
bool SpinningSearch::report_rows(ThreadId thread) {
    bool has_waited = false;
    for (auto& [key, rows] : state_.rows) {
        if (rows.are_waiting(key.first)) {
            has_waited = has_waited || key.first != SpinEvidence::single_yields;
            rows.found.evidence = key.first;
            rows.found.thread = thread;
            rows.found.site = key.second;
            found_.push_back(rows.found);
        }
    }
    return has_waited;
}

void SpinningSearch::report_polling(ThreadId thread) {
    Spinning found = state_.polling;
    bool const are_much = found.count * 4 > state_.events;
    if (found.count <= many_yields || !are_much)
        return;
    found.evidence = SpinEvidence::polling;
    found.thread = thread;
    found_.push_back(found);
}

void SpinningSearch::report_slices(ThreadId thread) {
    std::optional<Spinning> best;
    for (Slices const& slices : state_.slices) {
        std::int64_t const count = slices.found.count;
        bool const are_many = count >= least_slices && count * 5 >= state_.stretches * 2;
        bool const vary = slices.most_of_one_length * 10 <= count * 7;
        if (are_many && vary && (!best || count > best->count))
            best = slices.found;
    }
    if (best) {
        best->evidence = SpinEvidence::whole_slices;
        best->thread = thread;
        found_.push_back(*best);
    }
}

std::vector<Spinning> SpinningSearch::finish() {
    std::stable_sort(found_.begin(), found_.end(), [](Spinning const& a, Spinning const& b) {
        return a.evidence != b.evidence ? a.evidence < b.evidence : a.cpu + a.others > b.cpu + b.others;
    });
    return std::move(found_);
}

}  // namespace parcast::analysis
