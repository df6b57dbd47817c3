#include "simulate/changed_machine.h"

#include <algorithm>

namespace parcast {

Machine changed(Machine machine, Scenario const& scenario) {
    auto& costs = machine.costs;
    if (std::ranges::find(scenario.changes, WorkChange::Of::wake_up, &WorkChange::of) !=
        scenario.changes.end()) {
        costs.wake_up = {0};
        costs.wake_up_same_cpu = {0};
        costs.wake_up_soon = {0};
        costs.wake_waiter = std::min(costs.wake_waiter, Duration{0});
    }
    auto* const two_level = std::get_if<TwoLevelScheduler>(&machine.scheduler);
    for (auto const& change : scenario.changes)
        if (change.of == WorkChange::Of::lwps && two_level != nullptr)
            two_level->lwps = change.lwps;
    return machine;
}

}  // namespace parcast
