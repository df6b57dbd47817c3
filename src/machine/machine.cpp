#include "machine/machine.h"

#include <array>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "machine/limits.h"

namespace parcast {

namespace {

constexpr std::int64_t linux_with_periods = 2;  // of LinuxScheduler::eevdf

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

template <class Part>
Result<void> check_fields(Part const& part) {
    for (auto const& field : Part::fields())
        if (auto checked = require(field.key, field.limits.low_ns, field.limits.high_ns, field.value(part));
            !checked)
            return checked;
    return {};
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

Machine machine_under(SchedulerNumber scheduler, std::uint32_t cpus) {
    auto const& row = schedulers[scheduler];
    Machine machine;
    machine.name = row.word;
    machine.cpus = cpus;
    machine.scheduler = row.scheduler;
    machine.lock_policy = row.lock_policy;
    machine.costs = row.costs;
    return machine;
}

Machine ideal_machine(std::uint32_t cpus) {
    return machine_under(number_of(IdealScheduler{}), cpus);
}

Machine linux_machine(std::uint32_t cpus) {
    return machine_under(number_of(LinuxScheduler{}), cpus);
}

Machine with_cpus(Machine machine, std::uint32_t cpus) {
    machine.cpus = cpus;
    return machine;
}

Machine with_scheduler(Machine machine, SchedulerNumber scheduler) {
    if (scheduler == number_of(machine.scheduler))
        return machine;
    auto* const own = std::get_if<LinuxScheduler>(&machine.scheduler);
    auto const* const other = std::get_if<LinuxScheduler>(&schedulers[scheduler].scheduler);
    if (own == nullptr || other == nullptr)
        return machine_under(scheduler, machine.cpus);
    // Times with periods are those of one CPU, others those of all: neither means anything to the other.
    if ((own->eevdf == linux_with_periods) != (other->eevdf == linux_with_periods)) {
        own->slice = other->slice;
        own->wake_up_granularity = other->wake_up_granularity;
    }
    own->eevdf = other->eevdf;
    return machine;
}

Result<void> check(Machine const& machine) {
    auto checked = require<std::int64_t>("cpus", 1, most_cpus, machine.cpus);
    if (checked)
        checked = check_fields(machine.costs);
    if (checked)
        checked = check_fields(machine.waiting);
    if (checked)
        checked = check_fields(machine.devices);
    if (checked)
        checked =
            std::visit([](auto const& scheduler) { return check_fields(scheduler); }, machine.scheduler);
    if (checked)
        checked = check_rates("compute", machine.rates.compute);
    if (checked)
        checked = check_rates("memory", machine.rates.memory);
    if (checked)
        checked = require("memory_share", share_limits.low, share_limits.high, machine.rates.memory_share);
    auto const& row = schedulers[number_of(machine.scheduler)];
    if (checked && !row.knows_rates && !is_flat(machine.rates, most_cpus))
        checked = fail(ErrorCode::inconsistent,
                       "the " + std::string(row.word) +
                           " scheduler knows no rates: leave them out, or choose another scheduler");
    if (checked && machine.shared)
        checked = check(*machine.shared);
    if (checked && machine.network)
        checked = check(*machine.network);
    for (auto const fetch_ns : machine.ready_tasks.fetch_ns)
        if (checked)
            checked = require("fetch_ns", fetch_limits.low, fetch_limits.high, fetch_ns);
    return checked;
}

}  // namespace parcast
