#include "cli/verbs/exported_task_graph.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cli/exit_status.h"
#include "cli/files/task_graph_file.h"
#include "cli/options/target_machine.h"
#include "model/deterministic/deterministic.h"

namespace parcast::cli {

namespace {

tl::unexpected<Error> refused(ErrorCode code, std::string message) {
    return fail(make_error(code, std::move(message),
                           "For example: parcast export graph.json --cpus 8 --schedule lpt"));
}

std::optional<std::string> what_is_missing(ExportArguments const& arguments) {
    auto const& schedules = arguments.replay.question.schedule.schedules;
    if (!arguments.replay.cpus)
        return "export needs to know on how many CPUs";
    if (schedules.size() > 1 || std::ranges::count(schedules, "all") > 0)
        return "--schedule: one schedule is exported at a time: name one";
    return std::nullopt;
}

}  // namespace

Result<ExportedExecution> exported_task_graph(ExportArguments const& arguments) {
    auto const& file_name = arguments.replay.file;
    if (auto const complaint = what_is_missing(arguments))
        return refused(ErrorCode::unasked, *complaint);
    auto const& replay = arguments.replay;
    auto target = target_machine(replay, Form::task_graph);
    if (!target)
        return fail(with_advice(target.error(), advice_for_machine(replay, Form::task_graph)));
    if (auto const& schedules = replay.question.schedule.schedules; !schedules.empty()) {
        auto policy = parse_ready_policy(schedules.front());
        if (!policy)
            return refused(ErrorCode::unasked, "--schedule: " + policy.error().message);
        target->shape.ready_tasks.policy = *policy;
    }
    auto file = read_task_graph(file_name, replay.reading);
    if (!file)
        return pass_on(file);
    auto machine =
        task_machine(replay, forecast::with_cpus(target->shape, replay.cpus->front()), file->graph);
    if (!machine)
        return pass_on(machine);
    auto execution =
        model::execute(file->graph, machine->machine, {model::Keep::timeline, machine->law.get()});
    if (!execution)
        return refused(replay.memory ? ErrorCode::inconsistent : ErrorCode::unasked,
                       execution.error().message);
    ExportedExecution exported;
    exported.timeline = std::move(*execution->run.timeline);
    exported.command = file->graph.name.empty() ? arguments.replay.file : file->graph.name;
    exported.scheduler = name_of(machine->machine.ready_tasks.policy);
    exported.graph = name_of(file->format);
    return exported;
}

}  // namespace parcast::cli
