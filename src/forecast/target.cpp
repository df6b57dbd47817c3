#include "forecast/target.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/counted.h"
#include "core/listed.h"
#include "machine/machine_toml.h"
#include "model/queueing/station_law.h"

namespace parcast::forecast {

namespace {

// The largest number of busy CPUs for which all rates that matter were measured; none without such rates.
std::optional<std::size_t> rates_end(Rates const& rates) {
    std::optional<std::size_t> end;
    auto const look = [&](std::vector<double> const& list, bool matters) {
        if (matters && !list.empty())
            end = std::min(end.value_or(list.size()), list.size());
    };
    look(rates.compute, rates.memory_share < 1);
    look(rates.memory, rates.memory_share > 0);
    return end;
}

std::vector<std::string> notes_on(TargetMachine const& target, std::uint32_t most_cpus) {
    std::vector<std::string> notes;
    if (target.shape.calibration)
        for (auto const& note : target.shape.calibration->notes)
            notes.push_back("when this machine was calibrated: " + note);
    if (!target.left_out.empty())
        notes.push_back("the scheduler " + std::string(name_of(target.shape.scheduler)) + " does without " +
                        listed(target.left_out, " and ") + " of " + target.file.value_or("its machine file"));
    if (target.memory) {
        notes.push_back("busy CPUs share the memory of " + *target.memory +
                        ", which every part of the program uses alike");
    }
    auto const& rates = target.shape.rates;
    auto const end = rates_end(rates);
    if (end && most_cpus > *end && !is_flat(rates, most_cpus)) {
        notes.push_back("the machine's rates end at " + counted(static_cast<std::int64_t>(*end), "busy CPU") +
                        ": with more, each is taken to be as fast as with that many");
    }
    return notes;
}

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

template <class Part>
void add_parameters(Parameters& parameters, Part const& part) {
    for (auto const& field : Part::fields())
        parameters.emplace_back(field.key, field.value(part));
}

Parameters parameters_of(Machine const& machine) {
    Parameters parameters;
    add_parameters(parameters, machine.costs);
    add_parameters(parameters, machine.waiting);
    add_parameters(parameters, machine.devices);
    std::visit([&](auto const& scheduler) { add_parameters(parameters, scheduler); }, machine.scheduler);
    return parameters;
}

void change_cost(TargetMachine& target, Field<Costs> const& cost, std::int64_t value) {
    if (cost.value(target.shape.costs) == value)
        return;
    cost.set(target.shape.costs, value);
    target.left_out.emplace_back(cost.key);
}

// The file names another scheduler, and its values are for that one. Event delays are of the machine.
void use_scheduler(SchedulerNumber asked, TargetMachine& target) {
    auto& machine = target.shape;
    auto const under = with_scheduler(machine, asked);
    if (std::exchange(machine.lock_policy, under.lock_policy) != under.lock_policy)
        target.left_out.emplace_back("lock_policy");
    machine.scheduler = under.scheduler;
    for (auto const& cost : Costs::fields())
        if (cost.time != &Costs::event_delay)
            change_cost(target, cost, cost.value(under.costs));
    if (!schedulers[asked].knows_rates && !is_flat(machine.rates, most_cpus)) {
        machine.rates = {};
        target.left_out.emplace_back("rates");
    }
}

// Under a scheduler that has no costs they would be read and change nothing.
void leave_out_costs(TargetMachine& target) {
    auto const& scheduler = target.shape.scheduler;
    bool const has_costs = std::holds_alternative<LinuxScheduler>(scheduler) ||
                           std::holds_alternative<TwoLevelScheduler>(scheduler);
    bool const hears_late = !std::holds_alternative<IdealScheduler>(scheduler);
    bool const has_lines = std::holds_alternative<LinuxScheduler>(scheduler);
    for (auto const& cost : Costs::fields()) {
        bool const is_known = (has_costs && (has_lines || cost.time != &Costs::hot_handover)) ||
                              (hears_late && cost.time == &Costs::event_delay);
        if (!is_known)
            change_cost(target, cost, 0);
    }
}

}  // namespace

Result<MachineAndCpus> machine_and_cpus(std::string_view text, std::string const& file,
                                        std::optional<SchedulerNumber> asked, SchedulerNumber usual) {
    auto const scheduler = asked.value_or(usual);
    auto machine = machine_from_toml(text, file, machine_under(scheduler, 1));
    if (!machine)
        return pass_on(machine);
    // The file sets the number of CPUs if it comes out the same over another default.
    auto const again = machine_from_toml(text, file, machine_under(scheduler, 2));
    bool const sets_cpus = again && again->cpus == machine->cpus;
    std::vector<std::uint32_t> const own{machine->cpus};
    MachineAndCpus target{{std::move(*machine), file}, sets_cpus ? own : usual_cpus()};
    if (asked && number_of(target.machine.shape.scheduler) != *asked)
        use_scheduler(*asked, target.machine);
    leave_out_costs(target.machine);
    return target;
}

Result<void> set_memory_rates(TargetMachine& target, std::uint32_t most_cpus) {
    if (!target.shape.shared)
        return {};
    constexpr std::uint32_t usual_most = 256;
    auto rates =
        model::memory_rates(*target.shape.shared, target.shape.rates, std::max(most_cpus, usual_most));
    if (!rates)
        return pass_on(rates, target.memory ? *target.memory + ": " : "");
    target.shape.rates = std::move(*rates);
    return check(target.shape);
}

std::vector<std::uint32_t> usual_cpus() {
    return {1, 2, 4, 8, 16, 32, 64};
}

std::optional<MachineSource> source_of(TargetMachine const& target) {
    if (!target.file)
        return std::nullopt;
    auto const measured = target.shape.calibration.value_or(Calibration{});
    return MachineSource{*target.file, measured.host, measured.date};
}

MachineBasis machine_basis(TargetMachine const& target, std::uint32_t most_cpus) {
    auto const& shape = target.shape;
    MachineBasis basis;
    basis.name = shape.name;
    basis.scheduler = name_of(shape.scheduler);
    basis.lock_policy = shape.lock_policy == LockPolicy::barging ? "barging" : "hand_off";
    basis.parameters = parameters_of(shape);
    basis.source = source_of(target);
    basis.speeds = speeds(shape.rates);
    basis.memory_share = shape.rates.memory_share;
    basis.speed_deviations = target.speed_deviations;
    basis.measured_growth = target.measured_growth;
    basis.notes = notes_on(target, most_cpus);
    return basis;
}

}  // namespace parcast::forecast
