#include "extract/passes/yielded_arrivals.h"

#include <algorithm>
#include <limits>

#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

bool follows_closely(Event const& event) {
    return event.cpu_ns < predicate_ns;
}

// How many yields come directly before the wait.
std::size_t yields_before(EventList const& events, std::uint32_t wait) {
    std::size_t count = 0;
    for (std::uint32_t at = wait; at > 0 && follows_closely(events[at]); --at, ++count)
        if (events[at - 1].kind != EventKind::yield)
            break;
    return count;
}

// The fewest that any wait has.
std::size_t own_yields(Timeline const& recorded, Exchange const& exchange) {
    auto fewest = std::numeric_limits<std::size_t>::max();
    for (Wait const& wait : exchange.waits)
        if (wait.was_satisfied)
            fewest =
                std::min(fewest, yields_before(recorded.events[wait.event.thread.index()], wait.event.index));
    return fewest;
}

}  // namespace

YieldedArrivals::YieldedArrivals(Timeline const& recorded, Exchange const& exchange) {
    for (Wait const& wait : exchange.waits) {
        Thread& thread = threads_[wait.event.thread];
        if (wait.was_satisfied)
            thread.uses.push_back(wait.event.index);
    }
    for (Release const& release : exchange.releases)
        threads_[release.event.thread].uses.push_back(release.event.index);
    auto const own = own_yields(recorded, exchange);
    for (auto& [id, thread] : threads_) {
        std::ranges::sort(thread.uses);
        find_yields(recorded, id, exchange, own);
    }
}

void YieldedArrivals::find_yields(Timeline const& recorded, ThreadId id, Exchange const& exchange,
                                  std::size_t own) {
    Thread& thread = threads_[id];
    auto const& events = recorded.events[id.index()];
    std::size_t row = 0;  // how many of the last yields are one
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        Event const& event = events[i];
        if (event.kind == EventKind::yield) {
            row = row > 0 && follows_closely(event) ? row + 1 : 1;
            thread.yields.push_back({i, event.wall_ns, row == 1});
            continue;
        }
        bool const is_wait = event.kind == EventKind::futex_wait && event.object.value == exchange.object &&
                             std::ranges::binary_search(thread.uses, i);
        if (is_wait && follows_closely(event))
            thread.yields.resize(thread.yields.size() - std::min(row, own));
        row = 0;
    }
}

std::optional<EventReference> YieldedArrivals::next(ThreadId id, std::int64_t latest_ns) const {
    Thread const& thread = threads_.at(id);
    auto const use = std::ranges::lower_bound(thread.uses, thread.next);
    auto const end = use == thread.uses.end() ? std::numeric_limits<std::uint32_t>::max() : *use;
    // Two phases may end within one row, and leave the second of them no beginning of a row.
    std::optional<EventReference> within_row;
    auto yield = std::ranges::lower_bound(thread.yields, thread.next, {}, &Yield::index);
    for (; yield != thread.yields.end() && yield->index < end && yield->wall_ns <= latest_ns; ++yield) {
        EventReference const found{id, yield->index};
        if (yield->begins_row)
            return found;
        if (!within_row)
            within_row = found;
    }
    return within_row;
}

}  // namespace parcast::extract
