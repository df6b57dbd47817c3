#include "cli/target_machine.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <variant>

#include "cli/files.h"
#include "cli/host_machine_file.h"
#include "cli/memory_option.h"
#include "core/counted.h"
#include "machine/machine_toml.h"
#include "model/queueing/station_law.h"

namespace parcast::cli {

namespace {

constexpr char const* no_file = "default";

// The host's own machine file, where it is wanted and exists.
std::optional<std::string> own_file(PredictArguments const& arguments) {
    if (arguments.machine_file || arguments.scheduler)
        return std::nullopt;
    auto path = host_machine_file();
    std::error_code ignored;
    return path && std::filesystem::exists(*path, ignored) ? path : std::nullopt;
}

Result<TargetMachine> read_machine(std::string const& path, SchedulerNumber scheduler) {
    auto text = read_text(path);
    if (!text)
        return pass_on(text);
    auto machine = machine_from_toml(*text, path, machine_under(scheduler, 1));
    if (!machine)
        return pass_on(machine);
    // The file sets the number of CPUs if it comes out the same over another default.
    auto const again = machine_from_toml(*text, path, machine_under(scheduler, 2));
    bool const sets_cpus = again && again->cpus == machine->cpus;
    std::vector<std::uint32_t> const own{machine->cpus};
    return TargetMachine{std::move(*machine), sets_cpus ? own : usual_cpus(), path};
}

// What the machine's CPUs do to each other at the memory, by a file or preset.
Result<void> share_memory(TargetMachine& target, std::string const& name) {
    if (name == "lock")
        return fail(ErrorCode::inconsistent,
                    "--memory lock is for task graphs; a replay of a recording has its locks as they are");
    auto const resources = read_shared_resources(name);
    if (!resources)
        return pass_on(resources);
    constexpr std::uint32_t usual_most = 256;
    auto const most = std::max(target.cpus.back(), usual_most);
    auto rates = model::memory_rates(*resources, target.shape.rates, most);
    if (!rates)
        return fail(rates.error().code, name + ": " + rates.error().message);
    target.shape.rates = std::move(*rates);
    target.memory = name;
    return check(target.shape);
}

}  // namespace

std::vector<std::uint32_t> usual_cpus() {
    return {1, 2, 4, 8, 16, 32, 64};
}

Result<TargetMachine> target_machine(PredictArguments const& arguments) {
    auto const scheduler = arguments.scheduler.value_or(usual_scheduler);
    bool const names_file = arguments.machine_file && *arguments.machine_file != no_file;
    auto const own = own_file(arguments);
    Result<TargetMachine> target = TargetMachine{machine_under(scheduler, 1), usual_cpus(), {}};
    if (names_file || own)
        target = read_machine(own ? *own : *arguments.machine_file, scheduler);
    if (!target)
        return target;
    // That this host has two CPUs says nothing about where the program is to run.
    if (own)
        target->cpus = usual_cpus();
    if (arguments.cpus)
        target->cpus = *arguments.cpus;
    if (arguments.memory) {
        if (auto shared = share_memory(*target, *arguments.memory); !shared)
            return pass_on(shared);
    }
    return target;
}

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

}  // namespace

std::vector<std::string> notes_on(TargetMachine const& target) {
    std::vector<std::string> notes;
    if (target.shape.calibration)
        for (auto const& note : target.shape.calibration->notes)
            notes.push_back("when this machine was calibrated: " + note);
    if (target.memory) {
        notes.push_back("busy CPUs share the memory of " + *target.memory +
                        ", which every part of the program uses alike");
    }
    auto const& rates = target.shape.rates;
    auto const end = rates_end(rates);
    bool const goes_beyond = end && !target.cpus.empty() && target.cpus.back() > *end;
    if (goes_beyond && !is_flat(rates, target.cpus.back())) {
        notes.push_back("the machine's rates end at " + counted(static_cast<std::int64_t>(*end), "busy CPU") +
                        ": with more, each is taken to be as fast as with that many");
    }
    return notes;
}

std::string advice_for_machine(PredictArguments const& arguments) {
    if (arguments.memory)
        return "The form of a file of what is shared: docs/formats/memory.md.";
    return own_file(arguments) ? "Measure this host again: parcast calibrate. Or predict without its file: "
                                 "--machine default."
                               : "The form of a machine file: docs/formats/machine.md.";
}

Machine with_cpus(Machine machine, std::uint32_t cpus) {
    machine.cpus = cpus;
    return machine;
}

namespace {

template <class Part>
void add_parameters(Parameters& parameters, Part const& part) {
    for (auto const& field : Part::fields())
        parameters.emplace_back(field.key, field.value(part));
}

}  // namespace

Parameters parameters_of(Machine const& machine) {
    Parameters parameters;
    add_parameters(parameters, machine.costs);
    add_parameters(parameters, machine.waiting);
    std::visit([&](auto const& scheduler) { add_parameters(parameters, scheduler); }, machine.scheduler);
    return parameters;
}

}  // namespace parcast::cli
