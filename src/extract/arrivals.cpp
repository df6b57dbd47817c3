#include "extract/arrivals.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace parcast::extract {

namespace {

bool waits_for_others(Step const& step) {
    if (step.form != Step::Form::operation)
        return false;
    switch (step.kind) {
        case OperationKind::join:
        case OperationKind::join_any:
        case OperationKind::condition_wait:
        case OperationKind::condition_barrier:
        case OperationKind::barrier_wait:
        case OperationKind::semaphore_wait: return true;
        default: return false;
    }
}

// The arrival at a barrier counts: the last one releases all.
bool may_release(EventKind kind) {
    switch (kind) {
        case EventKind::condition_signal:
        case EventKind::condition_broadcast:
        case EventKind::semaphore_post:
        case EventKind::futex_wake:
        case EventKind::barrier_wait: return true;
        default: return false;
    }
}

struct Happenings {
    std::vector<std::vector<std::int64_t>> releases_ns;  // by object, rising
    std::vector<std::int64_t> created_ns;                // by thread; 0 if that was not recorded
};

Happenings happenings_of(Timeline const& recorded) {
    Happenings found;
    found.releases_ns.resize(recorded.catalogue.objects.size());
    found.created_ns.resize(recorded.events.size());
    for_each_event(recorded, [&](EventReference, Event const& event) {
        if (event.kind == EventKind::thread_create && event.related < found.created_ns.size())
            found.created_ns[event.related] = event.wall_ns;
        if (may_release(event.kind) && !event.object.is_none())
            found.releases_ns[event.object.index()].push_back(event.wall_ns);
    });
    for (auto& times : found.releases_ns)
        std::ranges::sort(times);
    return found;
}

// The last one before the wait returned; 0 if there was none.
std::int64_t release_of(Event const& wait, Happenings const& happenings) {
    if (wait.object.is_none())
        return 0;
    auto const& times = happenings.releases_ns[wait.object.index()];
    auto const after = std::ranges::upper_bound(times, return_ns(wait));
    return after == times.begin() ? 0 : *(after - 1);
}

// Where the clock of a thread stands after the call, if it stood at `now_ns` before it.
std::int64_t after(Event const& event, Step const& step, std::int64_t now_ns, Happenings const& happenings) {
    if (waits_for_others(step)) {
        auto const release_ns = release_of(event, happenings);
        if (event.span_ns == 0)
            return std::max(now_ns, release_ns);
        return release_ns >= event.wall_ns ? release_ns : return_ns(event);
    }
    bool const takes_its_value =
        step.form == Step::Form::operation &&
        (step.kind == OperationKind::delay || step.kind == OperationKind::input_output);
    return now_ns + event.cpu_inside_ns + (takes_its_value ? step.value : 0);
}

// REQUIRES: `takers` are of this thread, by `first`.
void follow(ThreadId thread, Timeline const& recorded, Plan const& plan, Happenings const& happenings,
            std::span<Taker* const> takers) {
    auto const& events = recorded.events[thread.index()];
    auto const& steps = plan.steps[thread.index()];
    auto now_ns = happenings.created_ns[thread.index()];
    for (std::uint32_t i = 0; !takers.empty(); ++i) {
        Event const event = events[i];
        now_ns += event.cpu_ns;
        if (i == takers.front()->first) {
            takers.front()->arrival_ns = now_ns;
            takers = takers.subspan(1);
        }
        now_ns = after(event, steps[i], now_ns, happenings);
    }
}

}  // namespace

void note_arrivals(Timeline const& recorded, Plan const& plan, std::span<HandOut> hand_outs) {
    if (hand_outs.empty())
        return;
    std::vector<std::vector<Taker*>> takers(recorded.events.size());
    for (HandOut& hand_out : hand_outs) {
        for (Taker& taker : hand_out.takers)
            takers[taker.thread.index()].push_back(&taker);
    }
    auto const happenings = happenings_of(recorded);
    for (std::size_t thread = 0; thread < takers.size(); ++thread) {
        std::ranges::sort(takers[thread], {}, [](Taker const* taker) { return taker->first; });
        follow(ThreadId(thread), recorded, plan, happenings, takers[thread]);
    }
}

}  // namespace parcast::extract
