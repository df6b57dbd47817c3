#include "extract/passes/passes.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

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

void plan_semaphore(Timeline const& recorded, Changes first, Changes last, Plan& plan) {
    std::uint32_t const object = first->object;
    auto const& known = recorded.catalogue.objects[object].initial_value;
    std::int64_t const initial =
        known ? std::max<std::int64_t>(0, *known) : smallest_initial_value(first, last);
    plan.doubts.inferred_semaphores += known ? 0 : 1;
    plan.objects[object].initial_count = initial;
    auto const taken = std::count_if(first, last, [](UnitChange const& change) { return change.is_taken; });
    std::int64_t missing = taken - ((last - first) - taken) - initial;
    std::int64_t units = initial;
    for (; first != last; ++first) {
        Event const& event = recorded.events[first->event.thread.index()][first->event.index];
        if (!first->is_taken) {
            ++units;
            plan.at(first->event) = operation(OperationKind::semaphore_post, object, 1);
        } else if (units <= 0 && missing > 0) {
            --missing;
            ++plan.doubts.unreleased_waits;
            plan.at(first->event) = delay_step(event);
        } else {
            --units;
            plan.at(first->event) = operation(OperationKind::semaphore_wait, object);
        }
    }
}

}  // namespace

void plan_semaphores(Timeline const& recorded, Plan& plan) {
    for_each_event(recorded, plan.kinds, waits, [&](EventReference reference, Event const& event) {
        if (event.outcome == Outcome::timed_out || event.outcome == Outcome::cut_off)
            plan.at(reference) = interrupted_step(recorded, reference);
    });
    std::vector<UnitChange> const changes = unit_changes(recorded, plan);
    for (auto first = changes.begin(); first != changes.end();) {
        auto const last = std::find_if(
            first, changes.end(), [&](UnitChange const& change) { return change.object != first->object; });
        plan_semaphore(recorded, first, last, plan);
        first = last;
    }
}

void plan_once(Timeline const& recorded, Plan& plan) {
    std::vector<std::optional<EventReference>> runner(recorded.catalogue.objects.size());
    for_each_event(recorded, plan.kinds, {EventKind::once},
                   [&](EventReference reference, Event const& event) {
                       if (!event.object.is_none() && event.value == 1)
                           runner[event.object.index()] = reference;
                   });
    std::vector<std::vector<bool>> has_called(recorded.catalogue.objects.size());
    for_each_event(
        recorded, plan.kinds, {EventKind::once}, [&](EventReference reference, Event const& event) {
            if (event.object.is_none() || !runner[event.object.index()])
                return;
            EventReference const run = *runner[event.object.index()];
            auto& callers = has_called[event.object.index()];
            callers.resize(recorded.events.size());
            bool const is_first = !callers[reference.thread.index()];
            callers[reference.thread.index()] = true;
            if (reference.thread == run.thread || !is_first)
                return;
            TokenGrant grant = decode_grant(plan.step(run).value);
            plan.at(reference) = operation(OperationKind::condition_wait, event.object.value,
                                           encode(TokenWait{ObjectId::none(), grant.tokens++}));
            plan.at(run) = operation(OperationKind::condition_signal, event.object.value, encode(grant));
        });
}

}  // namespace parcast::extract
