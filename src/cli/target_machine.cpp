#include "cli/target_machine.h"

#include <variant>

#include "cli/files.h"
#include "machine/fields.h"
#include "machine/machine_toml.h"

namespace parcast::cli {

namespace {

Machine named_machine(SchedulerName name, std::uint32_t cpus) {
    return name == SchedulerName::ideal ? ideal_machine(cpus) : linux_machine(cpus);
}

}  // namespace

Result<TargetMachine> target_machine(PredictArguments const& arguments) {
    std::vector<std::uint32_t> const usual{1, 2, 4, 8, 16, 32, 64};
    if (!arguments.machine_file) {
        return TargetMachine{named_machine(arguments.scheduler, 1), arguments.cpus.value_or(usual)};
    }
    std::string const& path = *arguments.machine_file;
    auto const text = read_text(path);
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    auto const machine = machine_from_toml(*text, path, named_machine(arguments.scheduler, 1));
    if (!machine) {
        return tl::unexpected<Error>(machine.error());
    }
    // The file sets the number of CPUs if it comes out the same over another default.
    auto const again = machine_from_toml(*text, path, named_machine(arguments.scheduler, 2));
    bool const sets_cpus = again && again->cpus == machine->cpus;
    std::vector<std::uint32_t> const own{machine->cpus};
    return TargetMachine{*machine, arguments.cpus.value_or(sets_cpus ? own : usual)};
}

Machine with_cpus(Machine machine, std::uint32_t cpus) {
    machine.cpus = cpus;
    return machine;
}

namespace {

template <class Part, class Fields>
void add_parameters(Parameters& parameters, Part const& part, Fields const& fields) {
    for (auto const& field : fields)
        parameters.emplace_back(field.key, (part.*field.member).ns);
}

}  // namespace

Parameters parameters_of(Machine const& machine) {
    Parameters parameters;
    add_parameters(parameters, machine.costs, cost_fields);
    add_parameters(parameters, machine.waiting, waiting_fields);
    if (auto const* fair = std::get_if<LinuxScheduler>(&machine.scheduler))
        add_parameters(parameters, *fair, scheduler_fields);
    return parameters;
}

}  // namespace parcast::cli
