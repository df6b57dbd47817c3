#include "extract/passes/passes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "extract/openmp_objects.h"

namespace parcast::extract {

namespace {

constexpr KindSet waits{EventKind::semaphore_wait, EventKind::try_semaphore_wait,
                        EventKind::timed_semaphore_wait};
constexpr KindSet waits_and_posts{EventKind::semaphore_wait, EventKind::try_semaphore_wait,
                                  EventKind::timed_semaphore_wait, EventKind::semaphore_post};

// A unit that is posted, or taken.
struct UnitChange {
    std::uint32_t object = no_object;
    std::int64_t when_ns = 0;
    bool is_taken = false;
    EventReference event;
};

// By object, then time: posts when they are called, waits when they return.
std::vector<UnitChange> unit_changes(Timeline const& recorded, Plan const& plan) {
    std::vector<UnitChange> changes;
    for_each_event(recorded, plan.kinds, waits_and_posts, [&](EventReference reference, Event const& event) {
        if (event.object.is_none() || event.outcome != Outcome::done)
            return;
        if (event.kind == EventKind::semaphore_post)
            changes.push_back({event.object.value, event.wall_ns, false, reference});
        else
            changes.push_back({event.object.value, return_ns(event), true, reference});
    });
    std::sort(changes.begin(), changes.end(), [](UnitChange const& a, UnitChange const& b) {
        return std::tie(a.object, a.when_ns, a.is_taken, a.event) <
               std::tie(b.object, b.when_ns, b.is_taken, b.event);
    });
    return changes;
}

using Changes = std::vector<UnitChange>::const_iterator;

std::int64_t smallest_initial_value(Changes first, Changes last) {
    std::int64_t units = 0;
    std::int64_t lowest = 0;
    for (; first != last; ++first) {
        units += first->is_taken ? -1 : 1;
        lowest = std::min(lowest, units);
    }
    return -lowest;
}

// How many of the waits may take a unit that was posted later: those of a member of an OpenMP team. libgomp
// wakes the team before the initial thread comes to where its posts are recorded, and on one CPU a member may
// have done all the work of the region by then.
std::int64_t units_in_advance(Changes first, Changes last, bool is_start) {
    return is_start ? std::count_if(first, last, [](UnitChange const& each) { return !each.is_taken; }) : 0;
}

void plan_semaphore(Timeline const& recorded, Changes first, Changes last, bool is_start, Plan& plan) {
    std::uint32_t const object = first->object;
    auto const& known = recorded.catalogue.objects[object].initial_value;
    std::int64_t const initial =
        known ? std::max<std::int64_t>(0, *known) : smallest_initial_value(first, last);
    plan.doubts.inferred_semaphores += known ? 0 : 1;
    plan.objects[object].initial_count = initial;
    auto const in_advance = units_in_advance(first, last, is_start);
    std::int64_t units = initial;
    auto posted = static_cast<std::uint32_t>(initial);
    std::uint32_t taken = 0;
    for (; first != last; ++first) {
        Event const& event = recorded.events[first->event.thread.index()][first->event.index];
        if (!first->is_taken) {
            ++units;
            plan.at(first->event) =
                operation(OperationKind::semaphore_post, object, encode(TokenGrant{1, posted++}));
        } else if (units <= 0 && taken >= initial + in_advance) {
            ++plan.doubts.unreleased_waits;
            plan.at(first->event) = delay_step(event);
        } else {
            --units;
            plan.at(first->event) = operation(OperationKind::semaphore_wait, object, encode_number(taken++));
        }
    }
}

}  // namespace

void plan_semaphores(Timeline const& recorded, Plan& plan) {
    for_each_event(recorded, plan.kinds, waits, [&](EventReference reference, Event const& event) {
        if (event.outcome == Outcome::timed_out || event.outcome == Outcome::cut_off)
            plan.at(reference) = interrupted_step(recorded, reference);
    });
    OpenmpObjects const openmp(recorded.catalogue);
    std::vector<UnitChange> const changes = unit_changes(recorded, plan);
    for (auto first = changes.begin(); first != changes.end();) {
        auto const last = std::find_if(
            first, changes.end(), [&](UnitChange const& change) { return change.object != first->object; });
        bool const is_start = openmp.contains_start(recorded.catalogue.objects[first->object]);
        plan_semaphore(recorded, first, last, is_start, plan);
        first = last;
    }
}

namespace {

struct OnceCall {
    EventReference event;
    std::int64_t begin_ns = 0;  // the earliest instant at which it can have ended
    std::int64_t end_ns = 0;    // the latest
};

// One run of the routine, and who waited for it.
struct OnceRun {
    OnceCall call;
    std::vector<EventReference> waiters;
};

struct OnceUse {
    std::vector<OnceRun> runs;  // by end
    std::vector<OnceCall> waiters;
};

// The last run that had ended; if none had, the first that may have.
OnceRun* run_before(std::vector<OnceRun>& runs, OnceCall const& waiter) {
    OnceRun* found = nullptr;
    for (OnceRun& run : runs) {
        bool const had_ended = run.call.end_ns <= waiter.end_ns;
        if (had_ended || (!found && run.call.begin_ns <= waiter.end_ns))
            found = &run;
    }
    return found;
}

void plan_runs(std::uint32_t object, OnceUse& use, Plan& plan) {
    std::sort(use.runs.begin(), use.runs.end(), [](OnceRun const& a, OnceRun const& b) {
        return std::tie(a.call.end_ns, a.call.event) < std::tie(b.call.end_ns, b.call.event);
    });
    for (OnceCall const& waiter : use.waiters) {
        OnceRun* const run = run_before(use.runs, waiter);
        bool const had_to_wait =
            run && run->call.event.thread != waiter.event.thread &&
            std::none_of(run->waiters.begin(), run->waiters.end(),
                         [&](EventReference other) { return other.thread == waiter.event.thread; });
        if (had_to_wait)
            run->waiters.push_back(waiter.event);
    }
    std::uint32_t token = 0;
    for (OnceRun const& run : use.runs) {
        TokenGrant const grant{static_cast<std::uint32_t>(run.waiters.size()), token};
        if (grant.tokens > 0)
            plan.at(run.call.event) = operation(OperationKind::condition_signal, object, encode(grant));
        for (EventReference const waiter : run.waiters)
            plan.at(waiter) = operation(OperationKind::condition_wait, object,
                                        encode(TokenWait{ObjectId::none(), token++}));
    }
}

}  // namespace

void plan_once(Timeline const& recorded, Plan& plan) {
    std::map<std::uint32_t, OnceUse> uses;
    for_each_event(recorded, plan.kinds, {EventKind::once},
                   [&](EventReference reference, Event const& event) {
                       if (event.object.is_none())
                           return;
                       auto const& events = recorded.events[reference.thread.index()];
                       std::int64_t const begin =
                           reference.index == 0 ? event.wall_ns : return_ns(events[reference.index - 1]);
                       OnceCall const call{reference, begin, return_ns(event)};
                       OnceUse& use = uses[event.object.value];
                       if (event.value == 1)
                           use.runs.push_back({call, {}});
                       else
                           use.waiters.push_back(call);
                   });
    for (auto& [object, use] : uses)
        plan_runs(object, use, plan);
}

}  // namespace parcast::extract
