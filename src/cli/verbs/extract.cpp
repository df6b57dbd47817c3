// parcast extract FILE: a recording as a task graph, for schedules, contention and theories to be tried on,
// as the program of threads that is replayed, to read and to change, or as a model in the PAMELA language, a
// formula of how often things are repeated. A message program in another format.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/extract_messages.h"
#include "cli/verbs/task_graph_output.h"
#include "cli/version.h"
#include "extract/extract.h"
#include "extract/tasks/task_graph.h"
#include "forecast/extracted_model.h"
#include "import/messages/message_format.h"
#include "import/threads_json.h"
#include "model/deterministic/allocation.h"
#include "program/condensed_graph.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

struct ExtractArguments {
    std::string file;                       // of a recording, or of a task graph to condense
    OutputArguments output;                 // *.pam: a model
    std::optional<std::uint32_t> condense;  // to so many processes
    std::optional<std::string> schedule;    // that divides the tasks; absent: pinned if they are, or block
    std::optional<std::uint32_t> cpus;      // that a model has as a resource
    bool closest = false;  // a model also of what is not series-parallel, with precedences added
    MessageExtraction messages;

    friend bool operator==(ExtractArguments const&, ExtractArguments const&) = default;
};

constexpr FormSet extracted_forms = {Form::recording, Form::task_graph, Form::threads, Form::messages};

// Of a recording, or written down.
Result<ThreadProgram> program_of(std::string const& path) {
    if (form_of(path) == Form::threads)
        return read_threads(path);
    auto recorded = load_recording(path);
    if (!recorded)
        return pass_on(recorded);
    auto program = extract::program_from(std::move(*recorded));
    if (!program)
        return fail(make_error(ErrorCode::inconsistent, path + ": " + program.error().message, ""));
    return program;
}

Result<TaskGraph> graph_of_program(std::string const& path) {
    auto const program = program_of(path);
    if (!program)
        return pass_on(program);
    auto graph = extract::task_graph_of(*program);
    if (!graph) {
        return fail(make_error(ErrorCode::impossible, path + ": " + graph.error().message,
                               "A replay keeps its locks: parcast predict " + path));
    }
    graph->name = std::filesystem::path(path).stem().string();
    return std::move(*graph);
}

// A task graph may be condensed too.
Result<TaskGraph> graph_of(ExtractArguments const& arguments) {
    if (form_of(arguments.file) != Form::task_graph)
        return graph_of_program(arguments.file);
    auto file = read_task_graph(arguments.file, {});
    if (!file)
        return pass_on(file);
    if (!file->for_cpus)
        return std::move(file->graph);
    if (!arguments.condense)
        return fail(
            make_error(ErrorCode::unasked,
                       arguments.file + ": its formulas use P, the number of CPUs, which has no value here",
                       "With one: parcast extract " + arguments.file + " --condense 8"));
    return file->for_cpus(*arguments.condense);
}

Result<TaskGraph> condensed_graph(ExtractArguments const& arguments, TaskGraph const& graph) {
    auto const policy =
        parse_ready_policy(arguments.schedule.value_or(graph.process.empty() ? "block" : "pinned"));
    if (!policy)
        return fail(make_error(ErrorCode::unasked, policy.error().message, "Try: parcast help extract"));
    auto const allocation = model::static_allocation(graph, *arguments.condense, *policy);
    if (!allocation) {
        return fail(make_error(ErrorCode::unasked, allocation.error().message,
                               "Which work is one task depends on it: docs/extract.md."));
    }
    auto const order = model::order_of_tasks(graph);
    return condensed(graph, {allocation->process, order});
}

bool is_model_file(std::string_view path) {
    return path.ends_with(".pam");
}

bool is_threads_file(std::string_view path) {
    return path.ends_with(".threads.json");
}

std::string parameters_of(extract::RecordedModel const& model) {
    std::string text;
    for (auto const& parameter : model.parameters)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", parameter.name, parameter.value);
    return text;
}

nlohmann::ordered_json json_of(forecast::ExtractedModel const& extracted) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (auto const& parameter : extracted.model.parameters)
        parameters.push_back({{"name", parameter.name}, {"value", parameter.value}});
    nlohmann::ordered_json formula;
    if (extracted.formula) {
        auto const& bound_by = extracted.formula->bound_by;
        formula = {
            {"mean_ns", extracted.formula->mean_ns},
            {"bound_by", bound_by.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(bound_by)}};
    }
    return {{"series_parallel", extracted.is_series_parallel},
            {"span_ns", extracted.span_ns},
            {"formula", formula},
            {"unit_ns", extracted.model.unit_ns},
            {"parameters", parameters},
            {"times", extracted.model.times},
            {"left_out", extracted.model.left_out}};
}

void say_model_written(forecast::ExtractedModel const& extracted, TaskGraph const& graph,
                       std::string const& path, std::size_t bytes) {
    auto const& model = extracted.model;
    auto const parameters = parameters_of(model);
    print_note("wrote " + path + ": a model with times in " + model.unit +
               (parameters.empty() ? "" : ", " + parameters) + ", " + bytes_text(bytes));
    if (!extracted.is_series_parallel) {
        print_note("the graph is not series-parallel; the critical path of the closest structure is " +
                   forecast::percent_longer(extracted.span_ns, span_ns(graph)) + " longer");
    }
    if (extracted.formula)
        print_note(forecast::formula_sentence(*extracted.formula, span_ns(graph)));
    for (auto const& name : model.left_out)
        print_note("left out: the use of '" + name + "'");
    print_note("next: parcast formula " + report::command_line({path}));
}

// What is in the file, and how large that is.
struct Written {
    std::string path;
    std::size_t bytes = 0;
    std::optional<forecast::ExtractedModel> model;  // absent: the graph
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
    answer["assumption_codes"] = report::codes_of_assumptions(graph.assumptions);
    if (written.model)
        answer["model"] = json_of(*written.model);
    return report::to_text(answer);
}

Result<Written> write(ExtractArguments const& arguments, TaskGraph const& graph, std::string const& path,
                      Existing existing) {
    Written written{path, 0, std::nullopt};
    if (is_model_file(path)) {
        auto model = forecast::model_of_graph(graph, arguments.file, arguments.closest, arguments.cpus);
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

std::string json_of(ExtractArguments const& arguments, ThreadProgram const& program, std::string const& path,
                    std::size_t bytes) {
    auto answer = report::envelope("extract", version, {{"file", arguments.file}});
    answer["threads"] = program.lists.size();
    answer["operations"] = operation_count(program);
    answer["work_ns"] = work_ns(program);
    answer["file"] = path;
    answer["bytes"] = bytes;
    answer["assumptions"] = program.assumptions;
    answer["assumption_codes"] = report::codes_of_assumptions(program.assumptions);
    return report::to_text(answer);
}

int write_threads(ExtractArguments const& arguments, std::string const& path, Existing existing) {
    auto program = program_of(arguments.file);
    if (!program)
        return print_failure(program.error());
    if (!program->shares.empty())
        program->assumptions.emplace_back(
            "the work before a call is the work of the function that makes the call; how the recording "
            "divides "
            "it among functions is left out");
    auto const text = to_threads_json(*program);
    if (!text)
        return print_failure(make_error(ErrorCode::impossible, arguments.file + ": " + text.error().message,
                                        "Its replay needs no file: parcast predict " + arguments.file));
    auto const bytes = write_text(*text, path, existing);
    if (!bytes)
        return print_failure(bytes.error());
    if (arguments.output.json)
        return print_result(json_of(arguments, *program, path, *bytes));
    print_note("wrote " + path + ": " + counted(static_cast<std::int64_t>(program->lists.size()), "thread") +
               ", " + counted(operation_count(*program), "operation") + ", " + bytes_text(*bytes));
    print_note("next: parcast predict " + report::command_line({path}));
    for (auto const& assumption : program->assumptions)
        print_note("taken for granted: " + report::assumption_with_code(assumption));
    return exit_success;
}

// What of the options is for another kind of output. Errors: unasked.
Result<void> consistency_of(ExtractArguments const& arguments, std::string const& path) {
    if (is_threads_file(path) && (arguments.condense || arguments.closest || arguments.cpus))
        return fail(
            make_error(ErrorCode::unasked,
                       "extract: --condense, --closest and --cpus are for task graphs and models, and " +
                           path + " is a program of threads",
                       "Name another file with -o."));
    if (is_threads_file(path) && form_of(arguments.file) == Form::task_graph)
        return fail(
            make_error(ErrorCode::unasked,
                       "extract: a task graph has no threads, and " + path + " is a program of threads",
                       "Name another file with -o, such as graph.json or model.pam."));
    if (message_format_to_write(path))
        return fail(make_error(ErrorCode::unasked,
                               "extract: " + path + " is for a message program, and " + arguments.file +
                                   " is " + std::string(name_of(form_of(arguments.file)).one),
                               "Name another file with -o, such as graph.json or model.pam."));
    if (arguments.closest && !is_model_file(path))
        return fail(make_error(ErrorCode::unasked,
                               "extract: --closest is for models, and " + path + " is no *.pam file",
                               "Name one: parcast extract " + arguments.file + " --closest -o model.pam"));
    if (arguments.cpus && !is_model_file(path))
        return fail(make_error(ErrorCode::unasked,
                               "extract: --cpus is for models, and " + path + " is no *.pam file",
                               "A task graph runs on any number: parcast predict " + path + " --cpus 4"));
    return {};
}

int extract_program(ExtractArguments const& arguments, GivenOptions const& given) {
    if (form_of(arguments.file) == Form::messages) {
        auto const checked = given.check_file(arguments.file);
        return checked ? extract_messages(arguments.file, arguments.output, arguments.messages)
                       : print_failure(checked.error());
    }
    auto const existing = arguments.output.force ? Existing::replace : Existing::keep;
    auto const path = arguments.output.file
                          ? *arguments.output.file
                          : usual_output(std::filesystem::path(arguments.file).stem().string(),
                                         ".taskgraph.json", existing);
    if (auto const consistent = consistency_of(arguments, path); !consistent)
        return print_failure(consistent.error());
    if (auto const checked = given.check_file(arguments.file); !checked)
        return print_failure(checked.error());
    if (auto const checked = check_output(path, existing, arguments.file); !checked)
        return print_failure(checked.error());
    if (is_threads_file(path))
        return write_threads(arguments, path, existing);
    auto graph = graph_of(arguments);
    if (!graph)
        return print_failure(graph.error());
    if (arguments.condense) {
        graph = condensed_graph(arguments, *graph);
        if (!graph)
            return print_failure(graph.error());
    }
    auto const written = write(arguments, *graph, path, existing);
    if (!written)
        return print_failure(written.error());
    if (arguments.output.json)
        return print_result(json_of(arguments, *graph, *written));
    if (written->model)
        say_model_written(*written->model, *graph, path, written->bytes);
    else
        say_written(*graph, path, written->bytes);
    for (auto const& assumption :
         written->model ? forecast::assumptions_of_model(*graph) : graph->assumptions)
        print_note("taken for granted: " + report::assumption_with_code(assumption));
    return exit_success;
}

void describe_options(OptionTable& options, ExtractArguments& arguments) {
    options.input("FILE", extracted_forms, arguments.file);
    options.output(
        arguments.output, "extract",
        "write to FILE, - for standard output, NAME.pam for a model, NAME.threads.json for the program of "
        "threads; default: NAME.taskgraph.json in the working directory. A message program: NAME.goal (the "
        "default), NAME.bin, NAME.ti or NAME.dim");
    options.section(forms_with_runs);
    options.option(
        "--condense P", arguments.condense, number(1U, most_cpus),
        "the condensed graph of P processes: what each does between two synchronisations is one task");
    options
        .option("--schedule NAME", arguments.schedule, any_text,
                "which process then does what: block, cyclic, split or pinned; default: pinned if the tasks "
                "are, as those of a recording, otherwise block")
        .needs("--condense");
    options.option("--cpus N", arguments.cpus, number(1U, most_cpus),
                   "a model with N CPUs as a resource that branches wait for; default: any number of CPUs");
    options.flag(
        "--closest", arguments.closest,
        "a model even of a graph that is not series-parallel: the closest structure, in which more waits");
    options.section({Form::messages});
    options.option("--collectives LIST", arguments.messages.collectives, parse_collective_choice,
                   "for formats without collective operations: as open-mpi (default) or mpich would do them, "
                   "or by name, such as mpich,allreduce=ring");
    options.option("--flops-per-ns X", arguments.messages.flops_per_ns, number(1e-6, 1e9),
                   "SimGrid's traces: how fast a rank computes; default: 1");
}

}  // namespace

Verb const extract_verb{
    .name = "extract",
    .example = "extract pigz.4711.parcast",
    .summary = "a recording as a task graph, a model or a thread program",
    .examples = R"(
  parcast extract pigz.4711.parcast -o pigz.json
  parcast extract pigz.4711.parcast -o - | jq '.groups | length'
  parcast extract p.json --condense 8 -o p8.json
  parcast extract radix_sort.4711.parcast -o radix_sort.pam
  parcast extract pigz.4711.parcast -o pigz.threads.json
  parcast extract pingpong.ti -o pingpong.goal
)",
    .description = R"(
Writes a recording as a task graph (docs/formats/taskgraph.md), for predict. What a thread does between
two synchronisations is a task; creations, joins, barriers, conditions and semaphores are precedences.
Locks are not: they stay as parameters of resource use, and the assumptions say so. For a task graph,
writes the same graph again, or condensed.

With -o NAME.pam: a model in the PAMELA language, a formula of how often things are repeated. Loops are
over a parameter, and the time of a segment has measured moments. For series-parallel graphs.

With -o NAME.threads.json: the program of threads that is replayed, step by step, to read and to change
(docs/formats/threads.md). It replays in the same times as the recording.

A message program (docs/formats/messages.md) is written in another format: GOAL as text or binary, a trace of
SimGrid or of Dimemas. What the format cannot hold is listed.
)",
    .exit_status =
        "3 the input is missing, unreadable or damaged; 4 there is no task graph, because the program does "
        "not end "
        "without its locks, or no model, because the graph is not series-parallel; 5 the file could not be "
        "written",
    .see_also = "predict formula",
    .prepare = prepared<ExtractArguments, describe_options, extract_program>,
};

}  // namespace parcast::cli
