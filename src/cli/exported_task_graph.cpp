#include "cli/exported_task_graph.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cli/exit_status.h"
#include "cli/memory_option.h"
#include "cli/task_graph_file.h"
#include "model/deterministic/deterministic.h"
#include "model/deterministic/timeline_of.h"

namespace parcast::cli {

namespace {

constexpr double longest_timeline_ns = 9.2e18;

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
    auto const& schedules = arguments.replay.question.schedule.schedules;
    auto const policy = model::parse_policy(schedules.empty() ? "fifo" : schedules.front());
    if (!policy)
        return refused(ErrorCode::unasked, "--schedule: " + policy.error().message + ".");
    auto file = read_task_graph(file_name, arguments.replay.reading);
    if (!file)
        return pass_on(file);
    model::Options options;
    options.retire = arguments.replay.retire;
    options.fetch_ns = arguments.replay.overhead_ns;
    options.keep = model::Keep::schedule;
    std::optional<model::ContentionLaw> law;
    if (arguments.replay.memory) {
        auto named = contention_law(*arguments.replay.memory, file->graph);
        if (!named)
            return refused(ErrorCode::inconsistent, describe(named.error()) + ".");
        options.contention = &law.emplace(std::move(*named));
    }
    auto const execution = model::execute(file->graph, arguments.replay.cpus->front(), *policy, options);
    if (!execution)
        return refused(options.contention == nullptr ? ErrorCode::unasked : ErrorCode::inconsistent,
                       execution.error().message + ".");
    if (execution->time_ns > longest_timeline_ns)
        return refused(ErrorCode::inconsistent,
                       "the execution takes longer than the 292 years that a timeline holds.");
    ExportedExecution exported;
    exported.timeline = model::timeline_of(file->graph, *execution);
    exported.command = file->graph.name.empty() ? arguments.replay.file : file->graph.name;
    exported.scheduler = model::name_of(*policy);
    exported.graph = name_of(file->format);
    return exported;
}

}  // namespace parcast::cli
