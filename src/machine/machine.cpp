#include "machine/machine.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "machine/fields.h"

namespace parcast {

namespace {

std::string text_of(std::int64_t number) {
    return std::to_string(number);
}

// Not std::to_chars, whose tables are a third of the module in a report.
std::string text_of(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", number);
    return text.data();
}

template <class Number>
Result<void> require(std::string const& field, Number low, Number high, Number found) {
    if (low <= found && found <= high)  // not so for NaN
        return {};
    return fail(ErrorCode::out_of_range, "machine: " + field + " is " + text_of(found) + "; it must be " +
                                             text_of(low) + " to " + text_of(high));
}

template <class Part, class Fields>
Result<void> check_durations(Part const& part, Fields const& fields) {
    for (auto const& field : fields) {
        auto const found = (part.*field.member).ns;
        if (auto checked = require<std::int64_t>(field.key, field.limits.low_ns, field.limits.high_ns, found);
            !checked)
            return checked;
    }
    return {};
}

Result<void> check_scheduler(LinuxScheduler const& scheduler) {
    for (auto const& field : percent_fields) {
        auto const found = scheduler.*field.member;
        if (auto checked = require(field.key, percent_limits.low_ns, percent_limits.high_ns, found); !checked)
            return checked;
    }
    return check_durations(scheduler, scheduler_fields);
}

Result<void> check_rates(char const* name, std::vector<double> const& rates) {
    if (rates.size() > most_cpus)
        return fail(ErrorCode::out_of_range, std::string("machine: ") + name + " has more than " +
                                                 std::to_string(most_cpus) + " rates");
    if (!rates.empty() && rates.front() != 1)
        return fail(ErrorCode::out_of_range, std::string("machine: ") + name + " begins with " +
                                                 text_of(rates.front()) +
                                                 "; one processor alone has the rate 1");
    for (auto const rate : rates)
        if (auto checked = require(name, rate_limits.low, rate_limits.high, rate); !checked)
            return checked;
    return {};
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
    Machine machine;
    machine.name = "linux";
    machine.cpus = cpus;
    machine.scheduler = LinuxScheduler{};
    machine.lock_policy = LockPolicy::barging;
    machine.costs.context_switch = {1'900};
    machine.costs.wake_up = {10'000};
    return machine;
}

char const* name_of(Scheduler const& scheduler) {
    return std::holds_alternative<IdealScheduler>(scheduler) ? "ideal" : "linux";
}

Result<void> check(Machine const& machine) {
    auto checked = require<std::int64_t>("cpus", 1, most_cpus, machine.cpus);
    if (checked)
        checked = check_durations(machine.costs, cost_fields);
    if (checked)
        checked = check_durations(machine.waiting, waiting_fields);
    if (auto const* parameters = std::get_if<LinuxScheduler>(&machine.scheduler); checked && parameters)
        checked = check_scheduler(*parameters);
    if (checked)
        checked = check_rates("compute", machine.rates.compute);
    if (checked)
        checked = check_rates("memory", machine.rates.memory);
    if (checked)
        checked = require("memory_share", share_limits.low, share_limits.high, machine.rates.memory_share);
    return checked;
}

}  // namespace parcast
