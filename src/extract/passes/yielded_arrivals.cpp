#include "extract/passes/yielded_arrivals.h"

#include <limits>

#include "core/kernel_locks.h"
#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

constexpr std::uint32_t most_own_yields = 64;

bool ends_row(Event const& event) {
    return event.cpu_ns >= predicate_ns;
}

// The row ends with a wait, which the last of its yields belong to.
void count_down_to_wait(std::vector<Yield>& yields) {
    std::uint32_t before_wait = 0;
    for (auto yield = yields.rbegin(); yield != yields.rend(); ++yield) {
        yield->before_wait = ++before_wait;
        if (yield->begins_row)
            break;
    }
}

void find_next_rows(std::vector<Yield>& yields) {
    auto next = yields.size();
    for (auto i = yields.size(); i-- > 0;) {
        yields[i].next_row = next;
        if (yields[i].begins_row)
            next = i;
    }
}

std::vector<Yield> yields_of(EventList const& events, KernelLocks const& kernels) {
    std::vector<Yield> yields;
    std::uint32_t index = 0;
    std::int64_t after_ns = 0;
    bool in_row = false;
    for (Event const& event : events) {
        auto const at = index++;
        if (kernels.has(event.object))
            continue;
        in_row = in_row && !ends_row(event);
        if (event.kind == EventKind::yield)
            yields.push_back({.index = at, .after_ns = after_ns, .begins_row = !in_row});
        else if (event.kind == EventKind::futex_wait && event.outcome == Outcome::done && in_row)
            count_down_to_wait(yields);
        in_row = event.kind == EventKind::yield;
        after_ns = return_ns(event);
    }
    find_next_rows(yields);
    return yields;
}

// How many yields come directly before the wait.
std::uint32_t yields_before(std::vector<Yield> const& yields, std::uint32_t wait) {
    auto yield = std::ranges::lower_bound(yields, wait, {}, &Yield::index);
    std::uint32_t count = 0;
    while (count < most_own_yields && yield != yields.begin() && (--yield)->before_wait == count + 1)
        ++count;
    return count;
}

}  // namespace

Yields yields_of(Timeline const& recorded) {
    KernelLocks const kernels(recorded.catalogue);
    Yields yields;
    for (EventList const& events : recorded.events)
        yields.push_back(yields_of(events, kernels));
    return yields;
}

void take(std::vector<EventReference> const& arrivals, Yields& yields) {
    for (EventReference const arrival : arrivals) {
        auto& own = yields[arrival.thread.index()];
        auto const yield = std::ranges::lower_bound(own, arrival.index, {}, &Yield::index);
        if (yield != own.end() && yield->index == arrival.index)
            yield->is_taken = true;
    }
}

YieldedArrivals::YieldedArrivals(Yields const& yields, Exchange const& exchange) : yields_(yields) {
    std::vector<std::size_t> waits_with(most_own_yields + 1);
    for (Wait const& wait : exchange.waits) {
        Thread& thread = threads_[wait.event.thread];
        if (!wait.was_satisfied)
            continue;
        thread.uses.push_back(wait.event.index);
        ++waits_with[yields_before(yields_[wait.event.thread.index()], wait.event.index)];
    }
    for (Release const& release : exchange.releases)
        threads_[release.event.thread].uses.push_back(release.event.index);
    for (auto& [id, thread] : threads_)
        std::ranges::sort(thread.uses);
    own_ = static_cast<std::uint32_t>(std::ranges::max_element(waits_with) - waits_with.begin());
}

std::optional<EventReference> YieldedArrivals::next(ThreadId id, std::int64_t released_ns) const {
    Thread const& thread = threads_.at(id);
    auto const use = std::ranges::lower_bound(thread.uses, thread.next);
    auto const end = use == thread.uses.end() ? std::numeric_limits<std::uint32_t>::max() : *use;
    auto const& yields = yields_[id.index()];
    auto const can_be = [&](Yield const& yield) {
        return yield.index < end && yield.after_ns <= released_ns;
    };
    auto const first = std::ranges::lower_bound(yields, thread.next, {}, &Yield::index);
    auto at = static_cast<std::size_t>(first - yields.begin());
    // Two phases may end within one row, and leave the second of them no beginning of a row.
    std::optional<EventReference> within_row;
    if (at < yields.size() && !yields[at].begins_row) {
        bool const is_second = at > 0 && yields[at - 1].begins_row;
        if (is_second && can_be(yields[at]) && is_arrival(yields[at]))
            within_row = EventReference{id, yields[at].index};
        at = yields[at].next_row;
    }
    for (; at < yields.size() && can_be(yields[at]); at = yields[at].next_row)
        if (is_arrival(yields[at]))
            return EventReference{id, yields[at].index};
    return within_row;
}

}  // namespace parcast::extract
