#include "extract/passes/passes.h"

#include <cstdint>
#include <vector>

#include "extract/passes/locks.h"

namespace parcast::extract {

namespace {

bool is_join(Step const& step) {
    return step.form == Step::Form::operation && step.kind == OperationKind::join;
}

bool is_lock(Step const& step) {
    return step.form == Step::Form::operation && step.kind == OperationKind::lock;
}

// The innermost of the held mutexes that the joined thread locks; no_object if there is none.
std::uint32_t needed_mutex(HeldLocks const& held, StepList const& joined) {
    std::uint32_t needed = no_object;
    std::uint32_t innermost = 0;
    for (std::size_t i = 0; i < joined.size(); ++i) {
        Step const step = joined[i];
        std::uint32_t const rank = is_lock(step) ? held.rank_of(step.object) : 0;
        if (rank > innermost) {
            innermost = rank;
            needed = step.object;
        }
    }
    return needed;
}

void plan_joins_of(ThreadId thread, EventList const& events, Plan& plan) {
    HeldLocks held;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        held.observe(events[i]);
        Step step = plan.step({thread, i});
        if (!is_join(step) || held.empty())
            continue;
        std::uint32_t const mutex = needed_mutex(held, plan.steps[step.object]);
        if (mutex != no_object) {
            step = operation(OperationKind::join_any, step.object);
            step.released_mutex = mutex;
            plan.at({thread, i}) = step;
        }
    }
}

}  // namespace

void plan_joins_under_locks(Timeline const& recorded, Plan& plan) {
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        if (plan.kinds[thread].contains(EventKind::thread_join))
            plan_joins_of(ThreadId(thread), recorded.events[thread], plan);
}

}  // namespace parcast::extract
