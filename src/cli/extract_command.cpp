#include "cli/extract_command.h"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/extracted_model.h"
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

Result<TaskGraph> graph_of_recording(std::string const& path) {
    auto recorded = load_recording(path);
    if (!recorded)
        return fail(with_advice(recorded.error(), advice_for_recording(recorded.error())));
    auto const program = extract::program_from(std::move(*recorded));
    if (!program)
        return fail(make_error(ErrorCode::inconsistent, path + ": " + program.error().message, ""));
    auto graph = extract::task_graph_of(*program);
    if (!graph) {
        return fail(make_error(ErrorCode::impossible, path + ": " + graph.error().message + ".",
                               "A replay keeps its locks: parcast predict " + path));
    }
    graph->name = std::filesystem::path(path).stem().string();
    return std::move(*graph);
}

// A task graph may be condensed too.
Result<TaskGraph> graph_of(ExtractArguments const& arguments) {
    if (!is_task_graph_file(arguments.file))
        return graph_of_recording(arguments.file);
    auto file = read_task_graph(arguments.file, {});
    if (!file)
        return pass_on(file);
    return std::move(file->graph);
}

Result<TaskGraph> condensed_graph(ExtractArguments const& arguments, TaskGraph const& graph) {
    auto const policy =
        model::parse_policy(arguments.schedule.value_or(graph.process.empty() ? "block" : "pinned"));
    if (!policy)
        return fail(
            make_error(ErrorCode::unasked, policy.error().message + ".", "Try: parcast help extract"));
    auto const allocation = model::static_allocation(graph, *arguments.condense, *policy);
    if (!allocation) {
        return fail(make_error(ErrorCode::unasked, allocation.error().message + ".",
                               "Which work is one task depends on it: docs/extract.md."));
    }
    auto const order = model::order_of_tasks(graph);
    return condensed(graph, {allocation->process, order});
}

// What is in the file, and how large that is.
struct Written {
    std::string path;
    std::size_t bytes = 0;
    std::optional<ExtractedModel> model;  // absent: the graph
};

std::string json_of(ExtractArguments const& arguments, TaskGraph const& graph, Written const& written) {
    auto answer = report::envelope("extract", version, {{"file", arguments.file}});
    answer["condensed_to"] =
        arguments.condense ? nlohmann::ordered_json(*arguments.condense) : nlohmann::ordered_json();
    answer["tasks"] = graph.tasks();
    answer["groups"] = graph.groups();
    answer["precedences"] = graph.successors.size();
    answer["work_ns"] = work_ns(graph);
    answer["span_ns"] = span_ns(graph);
    answer["file"] = written.path;
    answer["bytes"] = written.bytes;
    answer["assumptions"] = graph.assumptions;
    if (written.model)
        answer["model"] = json_of(*written.model);
    return report::to_text(answer);
}

Result<Written> write(ExtractArguments const& arguments, TaskGraph const& graph, std::string const& path) {
    auto const existing = arguments.force ? Existing::replace : Existing::keep;
    Written written{path, 0, std::nullopt};
    if (is_model_file(path)) {
        auto model = model_of_graph(graph, arguments.file, arguments.closest);
        if (!model)
            return pass_on(model);
        written.model = std::move(*model);
    }
    auto const bytes = written.model ? write_text(written.model->model.text, path, existing)
                                     : write_task_graph(graph, path, existing);
    if (!bytes)
        return pass_on(bytes);
    written.bytes = *bytes;
    return written;
}

}  // namespace

int extract_task_graph(ExtractArguments const& arguments) {
    auto const path =
        arguments.output.value_or(std::filesystem::path(arguments.file).stem().string() + ".taskgraph.json");
    if (path == OutputFile::standard_output && arguments.json)
        return print_failure(make_error(ErrorCode::unasked,
                                        "extract: --json and -o - both write to standard output.",
                                        "Name a file with -o."));
    if (arguments.closest && !is_model_file(path))
        return print_failure(make_error(
            ErrorCode::unasked, "extract: --closest is of models, and " + path + " is no *.pam file.",
            "Name one: parcast extract " + arguments.file + " --closest -o model.pam"));
    auto graph = graph_of(arguments);
    if (!graph)
        return print_failure(graph.error());
    if (arguments.condense) {
        graph = condensed_graph(arguments, *graph);
        if (!graph)
            return print_failure(graph.error());
    }
    auto const written = write(arguments, *graph, path);
    if (!written)
        return print_failure(written.error());
    if (arguments.json)
        return print_result(json_of(arguments, *graph, *written));
    if (written->model)
        say_written(*written->model, *graph, path, written->bytes);
    else
        say_written(*graph, path, written->bytes);
    for (auto const& assumption : written->model ? assumptions_of_model(*graph) : graph->assumptions)
        print_note("taken for granted: " + assumption);
    return exit_success;
}

}  // namespace parcast::cli
