#include "cli/options/target_machine.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/files/files.h"
#include "core/listed.h"
#include "core/suggestion.h"
#include "machine/machine_toml.h"
#include "machine/memory_toml.h"
#include "machine/network_text.h"
#include "machine/team_waiting.h"
#include "machine/thread_plan_toml.h"
#include "measure/host_description.h"

namespace parcast::cli {

namespace {

constexpr char const* no_file = "default";  // of --machine
constexpr char const* locks = "lock";       // of --memory: what is shared are the locks of the graph

// The folder that the variable names, if it is a whole path.
std::optional<std::string> folder_named_by(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? std::optional<std::string>(value) : std::nullopt;
}

// The host's own machine file, if it is wanted and exists.
std::optional<std::string> own_file(PredictArguments const& arguments, Form form) {
    bool const can_be_used = replayed_forms.has(form) || form == Form::messages;
    if (!can_be_used || arguments.machine_file || arguments.scheduler)
        return std::nullopt;
    auto path = host_machine_file();
    std::error_code ignored;
    return path && std::filesystem::exists(*path, ignored) ? path : std::nullopt;
}

Result<forecast::MachineAndCpus> named_machine(PredictArguments const& arguments, Form form) {
    auto const usual = form == Form::task_graph ? number_of(IdealScheduler{}) : usual_scheduler;
    auto const own = own_file(arguments, form);
    if (!own && arguments.machine_file.value_or(no_file) == no_file) {
        forecast::MachineAndCpus built_in;
        built_in.machine.shape = machine_under(arguments.scheduler.value_or(usual), 1);
        built_in.machine.is_usual =
            !arguments.scheduler && !arguments.machine_file && !arguments.as_on_every_host;
        built_in.cpus = forecast::usual_cpus();
        return built_in;
    }
    auto const& path = own ? *own : *arguments.machine_file;
    auto const text = read_text(path);
    auto target = text ? forecast::machine_and_cpus(*text, path, arguments.scheduler, usual)
                       : Result<forecast::MachineAndCpus>(pass_on(text));
    if (!target)
        return fail(with_advice(
            target.error(), own ? "Measure this host again: parcast calibrate. Or predict without its file: "
                                  "--machine default."
                                : "The form of a machine file: docs/formats/machine.md."));
    // The CPUs of this host are not the ones to predict for.
    if (own)
        target->cpus = forecast::usual_cpus();
    return target;
}

Result<void> share_memory(forecast::TargetMachine& target, std::string const& name, Form form) {
    if (name == locks && form == Form::task_graph) {
        target.lock_contention = true;
        return {};
    }
    if (name == locks)
        return fail(ErrorCode::inconsistent,
                    "--memory lock is for task graphs; a replay has the locks of its program as they are");
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

std::optional<std::string> host_machine_file() {
    auto folder = folder_named_by("XDG_CONFIG_HOME");
    if (!folder) {
        folder = folder_named_by("HOME");
        if (!folder)
            return std::nullopt;
        *folder += "/.config";
    }
    std::string name = measure::host_name();
    std::ranges::replace(name, '/', '_');
    return *folder + "/parcast/machines/" + name + ".toml";
}

Result<SharedResources> read_shared_resources(std::string const& name) {
    if (auto preset = shared_resources_of_preset(name))
        return std::move(*preset);
    auto const text = read_text(name);
    if (text)
        return shared_resources_from_toml(*text, name);
    if (text.error().code != ErrorCode::not_found)
        return pass_on(text);
    return fail(ErrorCode::not_found, "there is no file " + name +
                                          ", and no preset of that name: there are " +
                                          listed(memory_preset_names()));
}

Result<Network> read_network(std::string const& name) {
    auto typed = parse_network(name);
    if (!typed)
        return pass_on(typed);
    if (*typed)
        return std::move(**typed);
    auto const text = read_text(name);
    if (!text && text.error().code != ErrorCode::not_found)
        return pass_on(text);
    std::vector<std::string_view> presets;
    for (auto const& preset : network_presets())
        presets.push_back(preset.name);
    if (!text) {
        auto const meant = nearest(name, presets);
        return fail(ErrorCode::not_found, "there is no file " + name + ", and no network of that name: " +
                                              (meant ? "did you mean " + std::string(*meant) + "?"
                                                     : "there are " + listed(presets)));
    }
    auto const machine = machine_from_toml(*text, name, Machine());
    if (!machine)
        return pass_on(machine);
    if (!machine->network)
        return fail(ErrorCode::unasked, name + " says nothing of a network: it needs a table [network]");
    return *machine->network;
}

namespace {

Result<void> set_network(forecast::TargetMachine& target, PredictArguments const& arguments) {
    if (!arguments.network) {
        if (target.shape.network)
            target.network_source = target.file.value_or(target.shape.name);
        return {};
    }
    auto network = read_network(*arguments.network);
    if (!network)
        return fail(with_advice(network.error(),
                                "A network is a preset, values such as loggp:L=9us,o=2us,g=14us,G=30ns, or a "
                                "machine file with [network] (docs/formats/machine.md)."));
    target.network_source = network->name.empty() ? *arguments.network : network->source;
    // What messages cost inside a node is the machine's.
    if (auto const& own = target.shape.network; own && !network->node)
        network->node = own->node;
    target.shape.network = std::move(*network);
    return {};
}

Result<void> set_lwps(Scheduler& scheduler, std::uint32_t lwps) {
    auto* const two_level = std::get_if<TwoLevelScheduler>(&scheduler);
    if (two_level == nullptr)
        return fail(make_error(ErrorCode::unasked,
                               "--lwps: the scheduler " + std::string(name_of(scheduler)) +
                                   " has no LWPs: it runs threads on CPUs",
                               "Try --scheduler two-level, or fibers."));
    two_level->lwps = lwps;
    return {};
}

Result<void> set_waiting(forecast::TargetMachine& target, WaitPolicy policy) {
    auto const& scheduler = target.shape.scheduler;
    if (!schedulers[number_of(scheduler)].knows_spinning) {
        std::vector<std::string_view> others;
        for (auto const& row : schedulers)
            if (row.knows_spinning)
                others.push_back(row.word);
        return fail(
            make_error(ErrorCode::unasked,
                       "--waiting: under the scheduler " + std::string(name_of(scheduler)) + " nobody spins",
                       "Try --scheduler " + listed(others, " or ") + "."));
    }
    target.waiting = policy;
    target.shape.waiting = with_team_waiting(target.shape.waiting, policy);
    return {};
}

Result<void> set_plan(forecast::TargetMachine& target, std::string const& file) {
    auto plan = read_thread_plan(file);
    if (!plan)
        return pass_on(plan);
    if (std::holds_alternative<IdealScheduler>(target.shape.scheduler))
        return fail(make_error(ErrorCode::unasked,
                               "the scheduler ideal shares all CPUs among all threads, and follows no plan",
                               "Try --scheduler linux or round-robin."));
    target.plan = std::move(*plan);
    target.plan_file = file;
    return {};
}

}  // namespace

Result<ThreadPlan> read_thread_plan(std::string const& file) {
    auto const text = read_text(file);
    if (!text)
        return fail(with_advice(text.error(), "parcast bind FILE --cpus 4 -o plan.toml writes one."));
    auto plan = thread_plan_from_toml(*text, file);
    if (!plan)
        return fail(with_advice(plan.error(), "The form of a plan: docs/formats/plan.md."));
    return plan;
}

Result<forecast::MachineAndCpus> target_machine(PredictArguments const& arguments, Form form) {
    auto target = named_machine(arguments, form);
    if (!target)
        return target;
    if (arguments.cpus)
        target->cpus = *arguments.cpus;
    auto& machine = target->machine;
    auto done = arguments.memory ? share_memory(machine, *arguments.memory, form) : Result<void>();
    if (done && replayed_forms.has(form))
        done = forecast::set_memory_rates(machine, target->cpus.back());
    if (done && arguments.lwps)
        if (auto const set = set_lwps(machine.shape.scheduler, *arguments.lwps); !set)
            return pass_on(set);
    if (done && arguments.waiting)
        if (auto const set = set_waiting(machine, *arguments.waiting); !set)
            return pass_on(set);
    if (done && arguments.plan)
        if (auto const set = set_plan(machine, *arguments.plan); !set)
            return pass_on(set);
    if (done && networked_forms.has(form))
        if (auto const set = set_network(machine, arguments); !set)
            return pass_on(set);
    if (!done)
        return fail(with_advice(done.error(),
                                form == Form::task_graph
                                    ? "What tasks share, and how a task graph gives it: docs/theories.md."
                                    : "The form of a file of what is shared: docs/formats/memory.md."));
    if (arguments.event_delay_ns)
        machine.shape.costs.event_delay = {*arguments.event_delay_ns};
    auto& tasks = machine.shape.ready_tasks;
    tasks.retire = arguments.retire.value_or(tasks.retire);
    if (!arguments.overhead_ns.empty())
        tasks.fetch_ns = arguments.overhead_ns;
    return target;
}

}  // namespace parcast::cli
