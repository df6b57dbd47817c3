#include "cli/options/target_machine.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/files/files.h"
#include "cli/options/host_machine_file.h"
#include "cli/options/memory_option.h"
#include "machine/machine_toml.h"
#include "model/queueing/station_law.h"

namespace parcast::cli {

namespace {

constexpr char const* no_file = "default";

// The host's own machine file, where it is wanted and exists.
std::optional<std::string> own_file(PredictArguments const& arguments, Form form) {
    if (form != Form::recording || arguments.machine_file || arguments.scheduler)
        return std::nullopt;
    auto path = host_machine_file();
    std::error_code ignored;
    return path && std::filesystem::exists(*path, ignored) ? path : std::nullopt;
}

Result<MachineAndCpus> read_machine(std::string const& path, SchedulerNumber scheduler) {
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
    return MachineAndCpus{{std::move(*machine), path}, sets_cpus ? own : forecast::usual_cpus()};
}

constexpr char const* locks = "lock";  // of --memory: what is shared are the locks of the graph

// The machine's rates of the memory are what its CPUs do to each other there.
Result<void> set_rates(forecast::TargetMachine& target, std::uint32_t most_cpus) {
    constexpr std::uint32_t usual_most = 256;
    auto const most = std::max(most_cpus, usual_most);
    auto rates = model::memory_rates(*target.shape.shared, target.shape.rates, most);
    if (!rates)
        return pass_on(rates, target.memory ? *target.memory + ": " : "");
    target.shape.rates = std::move(*rates);
    return check(target.shape);
}

// By a file or preset: instead of what the machine shares.
Result<void> share_memory(forecast::TargetMachine& target, std::string const& name, Form form) {
    if (name == locks && form == Form::task_graph) {
        target.lock_contention = true;
        return {};
    }
    if (name == locks)
        return fail(ErrorCode::inconsistent,
                    "--memory lock is for task graphs; a replay of a recording has its locks as they are");
    auto resources = read_shared_resources(name);
    if (!resources && resources.error().code == ErrorCode::not_found && form == Form::task_graph)
        resources.error().message += ", and lock";
    if (!resources)
        return pass_on(resources);
    target.shape.shared = std::move(*resources);
    target.memory = name;
    return {};
}

}  // namespace

Result<MachineAndCpus> target_machine(PredictArguments const& arguments, Form form) {
    auto const scheduler = form == Form::task_graph ? number_of(IdealScheduler{})
                                                    : arguments.scheduler.value_or(usual_scheduler);
    bool const names_file = arguments.machine_file && *arguments.machine_file != no_file;
    auto const own = own_file(arguments, form);
    Result<MachineAndCpus> target = MachineAndCpus{{machine_under(scheduler, 1)}, forecast::usual_cpus()};
    if (names_file || own)
        target = read_machine(own ? *own : *arguments.machine_file, scheduler);
    if (!target)
        return target;
    // That this host has two CPUs says nothing about where the program is to run.
    if (own)
        target->cpus = forecast::usual_cpus();
    if (arguments.cpus)
        target->cpus = *arguments.cpus;
    auto& machine = target->machine;
    if (arguments.memory) {
        if (auto shared = share_memory(machine, *arguments.memory, form); !shared)
            return pass_on(shared);
    }
    if (form == Form::recording && machine.shape.shared) {
        if (auto rates = set_rates(machine, target->cpus.back()); !rates)
            return pass_on(rates);
    }
    auto& tasks = machine.shape.ready_tasks;
    tasks.retire = arguments.retire.value_or(tasks.retire);
    if (!arguments.overhead_ns.empty())
        tasks.fetch_ns = arguments.overhead_ns;
    return target;
}

std::string advice_for_machine(PredictArguments const& arguments, Form form) {
    if (arguments.memory)
        return form == Form::task_graph ? "What tasks share, and how a task graph says it: docs/theories.md."
                                        : "The form of a file of what is shared: docs/formats/memory.md.";
    return own_file(arguments, form)
               ? "Measure this host again: parcast calibrate. Or predict without its file: "
                 "--machine default."
               : "The form of a machine file: docs/formats/machine.md.";
}

}  // namespace parcast::cli
