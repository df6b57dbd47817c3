#include "extract/passes/yielded_arrivals.h"

#include <cstddef>
#include <limits>

#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

bool follows_closely(Event const& event) {
    return event.cpu_ns < predicate_ns;
}

// How many yields come directly before the wait.
std::uint32_t yields_before(EventList const& events, std::uint32_t wait) {
    std::uint32_t count = 0;
    for (auto at = wait; at > 0 && follows_closely(events[at]); --at, ++count)
        if (events[at - 1].kind != EventKind::yield)
            break;
    return count;
}

}  // namespace

Yields yields_of(Timeline const& recorded) {
    Yields yields(recorded.events.size());
    for (std::size_t thread = 0; thread < yields.size(); ++thread) {
        std::uint32_t index = 0;
        bool in_row = false;
        for (Event const& event : recorded.events[thread]) {
            bool const is_yield = event.kind == EventKind::yield;
            if (is_yield)
                yields[thread].push_back({index, event.wall_ns, !in_row || !follows_closely(event)});
            in_row = is_yield;
            ++index;
        }
    }
    return yields;
}

YieldedArrivals::YieldedArrivals(Timeline const& recorded, Yields const& yields, Exchange const& exchange)
    : yields_(yields) {
    auto own = std::numeric_limits<std::uint32_t>::max();
    for (Wait const& wait : exchange.waits) {
        Thread& thread = threads_[wait.event.thread];
        if (!wait.was_satisfied)
            continue;
        auto const before = yields_before(recorded.events[wait.event.thread.index()], wait.event.index);
        thread.uses.push_back({wait.event.index, 0});
        own = std::min(own, before);
    }
    for (auto& [id, thread] : threads_)
        for (Use& use : thread.uses)
            use.own_yields = own;
    for (Release const& release : exchange.releases)
        threads_[release.event.thread].uses.push_back({release.event.index, 0});
    for (auto& [id, thread] : threads_)
        std::ranges::sort(thread.uses, {}, &Use::index);
}

std::optional<EventReference> YieldedArrivals::next(ThreadId id, std::int64_t latest_ns) const {
    Thread const& thread = threads_.at(id);
    auto const use = std::ranges::lower_bound(thread.uses, thread.next, {}, &Use::index);
    auto const end =
        use == thread.uses.end() ? std::numeric_limits<std::uint32_t>::max() : use->index - use->own_yields;
    // Two phases may end within one row, and leave the second of them no beginning of a row.
    std::optional<EventReference> within_row;
    auto const& yields = yields_[id.index()];
    auto yield = std::ranges::lower_bound(yields, thread.next, {}, &Yield::index);
    for (; yield != yields.end() && yield->index < end && yield->wall_ns <= latest_ns; ++yield) {
        EventReference const found{id, yield->index};
        if (yield->begins_row)
            return found;
        if (!within_row)
            within_row = found;
    }
    return within_row;
}

}  // namespace parcast::extract
