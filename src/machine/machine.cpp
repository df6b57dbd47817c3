#include "machine/machine.h"

#include <vector>

#include "machine/limits.h"

namespace parcast {

namespace {

Result<void> require(char const* field, LimitsNs limits, Duration found) {
    if (limits.low_ns <= found.ns && found.ns <= limits.high_ns)
        return {};
    return fail(ErrorCode::out_of_range,
                std::string("machine: ") + field + " is " + std::to_string(found.ns) + "; it must be " +
                    std::to_string(limits.low_ns) + " to " + std::to_string(limits.high_ns));
}

}  // namespace

Machine ideal_machine(std::uint32_t cpus) {
    Machine machine;
    machine.cpus = cpus;
    return machine;
}

// Costs as measured on one Linux 6.18 virtual machine; docs/schedulers.md says how. Creating a thread is
// part of the creator's recorded work already.
Machine linux_machine(std::uint32_t cpus) {
    return {.name = "linux",
            .cpus = cpus,
            .scheduler = LinuxScheduler{},
            .lock_policy = LockPolicy::barging,
            .costs = {.context_switch = {1'900}, .wake_up = {10'000}, .create_thread = {0}}};
}

char const* name_of(Scheduler const& scheduler) {
    return std::holds_alternative<IdealScheduler>(scheduler) ? "ideal" : "linux";
}

Result<void> check(Machine const& machine) {
    if (machine.cpus < 1 || machine.cpus > most_cpus) {
        return fail(ErrorCode::out_of_range, "machine: cpus is " + std::to_string(machine.cpus) +
                                                 "; it must be 1 to " + std::to_string(most_cpus));
    }
    struct Field {
        char const* name;
        LimitsNs limits;
        Duration value;
    };
    std::vector<Field> fields = {{"context_switch_ns", cost_limits, machine.costs.context_switch},
                                 {"wake_up_ns", cost_limits, machine.costs.wake_up},
                                 {"create_thread_ns", cost_limits, machine.costs.create_thread}};
    if (auto const* parameters = std::get_if<LinuxScheduler>(&machine.scheduler)) {
        fields.push_back({"slice_ns", slice_limits, parameters->slice});
        fields.push_back({"wake_up_granularity_ns", granularity_limits, parameters->wake_up_granularity});
        fields.push_back({"balance_interval_ns", balance_limits, parameters->balance_interval});
    }
    for (auto const& field : fields) {
        if (auto checked = require(field.name, field.limits, field.value); !checked)
            return checked;
    }
    return {};
}

}  // namespace parcast
