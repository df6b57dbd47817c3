#include "extract/plan.h"

#include <algorithm>

#include "core/kernel_locks.h"

namespace parcast::extract {

Plan empty_plan(Timeline const& recorded) {
    Plan plan;
    plan.kinds = kinds_by_thread(recorded);
    plan.steps.reserve(recorded.events.size());
    for (auto const& events : recorded.events)
        plan.steps.emplace_back(events);
    plan.parameters.resize(recorded.catalogue.threads.size());
    plan.objects.resize(recorded.catalogue.objects.size());
    for (std::size_t object = 0; object < plan.objects.size(); ++object)
        plan.objects[object].kernel_lock = kernel_lock_of(recorded.catalogue.objects[object]);
    return plan;
}

Step delay_step(Event const& event) {
    return operation(OperationKind::delay, no_object,
                     std::max<std::int64_t>(0, event.span_ns - event.cpu_inside_ns));
}

Step interrupted_step(Timeline const& recorded, EventReference reference) {
    auto const& events = recorded.events[reference.thread.index()];
    Event const& event = events[reference.index];
    if (event.outcome == Outcome::timed_out)
        return operation(OperationKind::delay, no_object, std::max<std::int64_t>(0, event.value));
    // A cancelled thread ends by itself (its cleanup is recorded); one that was alive at exit never went on.
    bool const alive_at_exit = events.back().outcome == Outcome::cut_off;
    return alive_at_exit ? last() : delay_step(event);
}

}  // namespace parcast::extract
