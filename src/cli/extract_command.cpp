#include "cli/extract_command.h"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/recording.h"
#include "cli/task_graph_file.h"
#include "cli/task_graph_output.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "extract/extract.h"
#include "extract/task_graph.h"
#include "model/deterministic/allocation.h"
#include "program/condensed_graph.h"
#include "report/envelope.h"

namespace parcast::cli {

namespace {

tl::expected<TaskGraph, Refusal> graph_of_recording(std::string const& path) {
    auto recorded = load_recording(path);
    if (!recorded)
        return tl::unexpected(
            Refusal{exit_input, describe(recorded.error()), advice_for_recording(recorded.error())});
    auto const program = extract::program_from(std::move(*recorded));
    if (!program)
        return tl::unexpected(Refusal{exit_input, path + ": " + program.error().message, ""});
    auto graph = extract::task_graph_of(*program);
    if (!graph) {
        return tl::unexpected(Refusal{exit_impossible, path + ": " + graph.error().message + ".",
                                      "A replay keeps its locks: parcast predict " + path});
    }
    graph->name = std::filesystem::path(path).stem().string();
    return std::move(*graph);
}

// A task graph may be condensed too.
tl::expected<TaskGraph, Refusal> graph_of(ExtractArguments const& arguments) {
    if (!is_task_graph_file(arguments.file))
        return graph_of_recording(arguments.file);
    auto file = read_task_graph(arguments.file, {});
    if (!file)
        return tl::unexpected(file.error());
    return std::move(file->graph);
}

tl::expected<TaskGraph, Refusal> condensed_graph(ExtractArguments const& arguments, TaskGraph const& graph) {
    auto const policy =
        model::parse_policy(arguments.schedule.value_or(graph.process.empty() ? "block" : "pinned"));
    if (!policy)
        return tl::unexpected(Refusal{exit_usage, policy.error().message + ".", "Try: parcast help extract"});
    auto const allocation = model::static_allocation(graph, *arguments.condense, *policy);
    if (!allocation) {
        return tl::unexpected(Refusal{exit_usage, allocation.error().message + ".",
                                      "Which work is one task depends on it: docs/extract.md."});
    }
    auto const order = model::order_of_tasks(graph);
    return condensed(graph, {allocation->process, order});
}

std::string json_of(ExtractArguments const& arguments, TaskGraph const& graph, std::string const& path,
                    std::size_t bytes) {
    auto answer = report::envelope("extract", version, {{"file", arguments.file}});
    answer["condensed_to"] =
        arguments.condense ? nlohmann::ordered_json(*arguments.condense) : nlohmann::ordered_json();
    answer["tasks"] = graph.tasks();
    answer["groups"] = graph.groups();
    answer["precedences"] = graph.successors.size();
    answer["work_ns"] = work_ns(graph);
    answer["span_ns"] = span_ns(graph);
    answer["file"] = path;
    answer["bytes"] = bytes;
    answer["assumptions"] = graph.assumptions;
    return report::to_text(answer);
}

}  // namespace

int extract_task_graph(ExtractArguments const& arguments) {
    auto const path =
        arguments.output.value_or(std::filesystem::path(arguments.file).stem().string() + ".taskgraph.json");
    if (path == OutputFile::standard_output && arguments.json)
        return refuse(
            {exit_usage, "extract: --json and -o - both write to standard output.", "Name a file with -o."});
    auto graph = graph_of(arguments);
    if (!graph)
        return refuse(graph.error());
    if (arguments.condense) {
        graph = condensed_graph(arguments, *graph);
        if (!graph)
            return refuse(graph.error());
    }
    auto const bytes = write_task_graph(*graph, path, arguments.force ? Existing::replace : Existing::keep);
    if (!bytes)
        return refuse(bytes.error());
    if (arguments.json)
        return print_result(json_of(arguments, *graph, path, *bytes));
    say_written(*graph, path, *bytes);
    for (auto const& assumption : graph->assumptions)
        print_note("taken for granted: " + assumption);
    return exit_success;
}

}  // namespace parcast::cli
