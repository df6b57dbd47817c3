#include "cli/target_machine.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <variant>

#include "cli/files.h"
#include "cli/host_machine_file.h"
#include "cli/memory_option.h"
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

Result<forecast::TargetMachine> read_machine(std::string const& path, SchedulerNumber scheduler) {
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
    return forecast::TargetMachine{std::move(*machine), sets_cpus ? own : forecast::usual_cpus(), path};
}

// What the machine's CPUs do to each other at the memory, by a file or preset.
Result<void> share_memory(forecast::TargetMachine& target, std::string const& name) {
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
        return pass_on(rates, name + ": ");
    target.shape.rates = std::move(*rates);
    target.memory = name;
    return check(target.shape);
}

}  // namespace

Result<forecast::TargetMachine> target_machine(PredictArguments const& arguments) {
    auto const scheduler = arguments.scheduler.value_or(usual_scheduler);
    bool const names_file = arguments.machine_file && *arguments.machine_file != no_file;
    auto const own = own_file(arguments);
    Result<forecast::TargetMachine> target =
        forecast::TargetMachine{machine_under(scheduler, 1), forecast::usual_cpus(), {}};
    if (names_file || own)
        target = read_machine(own ? *own : *arguments.machine_file, scheduler);
    if (!target)
        return target;
    // That this host has two CPUs says nothing about where the program is to run.
    if (own)
        target->cpus = forecast::usual_cpus();
    if (arguments.cpus)
        target->cpus = *arguments.cpus;
    if (arguments.memory) {
        if (auto shared = share_memory(*target, *arguments.memory); !shared)
            return pass_on(shared);
    }
    return target;
}

std::string advice_for_machine(PredictArguments const& arguments) {
    if (arguments.memory)
        return "The form of a file of what is shared: docs/formats/memory.md.";
    return own_file(arguments) ? "Measure this host again: parcast calibrate. Or predict without its file: "
                                 "--machine default."
                               : "The form of a machine file: docs/formats/machine.md.";
}

}  // namespace parcast::cli
