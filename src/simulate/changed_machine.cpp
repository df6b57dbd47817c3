#include "simulate/changed_machine.h"

#include <algorithm>

namespace parcast {

Machine changed(Machine machine, Scenario const& scenario) {
    auto& costs = machine.costs;
    if (std::ranges::find(scenario.changes, WorkChange::Of::wake_up, &WorkChange::of) !=
        scenario.changes.end()) {
        costs.wake_up = {0};
        costs.wake_up_same_cpu = {0};
        costs.wake_waiter = std::min(costs.wake_waiter, Duration{0});
    }
    return machine;
}

}  // namespace parcast
