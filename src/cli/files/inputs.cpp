#include "cli/files/inputs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "cli/files/files.h"
#include "cli/progress.h"
#include "core/counted.h"
#include "core/leading_number.h"
#include "import/reader_parts.h"
#include "import/steps_json.h"
#include "import/threads_json.h"
#include "symbolic/parameters.h"
#include "trace/recording_file.h"

namespace parcast::cli {

namespace {

constexpr char const* graph_help =
    "How a task graph is read: parcast help predict, and docs/formats/taskgraph.md.";
constexpr char const* threads_help = "How a program of threads is written: docs/formats/threads.md.";
constexpr char const* messages_help = "Which formats there are: docs/formats/messages.md.";
constexpr char const* steps_help = "How a program of steps is written: docs/formats/steps.md.";
constexpr char const* model_help = "How a model is written: docs/pamela.md, and docs/formats/pamela.md.";

// Enough for the comments before an input begins.
constexpr std::size_t head_bytes = 65536;

// The first word of a model, without blanks and comments before it.
std::string_view first_word(std::string_view text) {
    while (!text.empty()) {
        auto const start = text.find_first_not_of(" \t\r\n\f\v");
        text.remove_prefix(std::min(start, text.size()));
        if (!text.starts_with('%'))
            break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    auto const end =
        std::ranges::find_if_not(text, [](char letter) { return letter >= 'a' && letter <= 'z'; });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

constexpr std::array<std::string_view, 3> model_keywords = {"numeric", "process", "resource"};

std::string advice_for_recording(ErrorCode code) {
    switch (code) {
        case ErrorCode::not_found: return "Make a recording with: parcast record -- PROGRAM ARGS...";
        case ErrorCode::not_permitted:
            return "Ask its owner for the right to read it, or record the program again.";
        case ErrorCode::unsupported:
            return "Recordings are named NAME.PID.parcast; make one with: parcast record -- PROGRAM ARGS...";
        default: return "Copy the file again or record again: parcast record -- PROGRAM ARGS...";
    }
}

// Library rooms see bytes and know no path: it is added to the place here.
Result<Timeline> recording_in(InputFile const& input, std::string const& path,
                              trace::BeginEvents const& begin) {
    auto const head = input.head(trace::recording_magic.size());
    if (head.empty())
        return fail(ErrorCode::truncated, "the file is empty", SourcePosition{path, {}, {}, {}});
    // For anything else only the beginning is read, which says what it is.
    auto file = trace::begins_recording(head)
                    ? trace::FileBytes(input.size(),
                                       [&](std::uint64_t offset, std::span<std::byte> to) {
                                           return input.read_at(offset, to);
                                       })
                    : trace::FileBytes(head);
    auto recorded = trace::read_recording(file, begin);
    if (recorded)
        return recorded;
    if (auto const form = form_of(path);
        FormSet{Form::task_graph, Form::threads, Form::steps, Form::messages}.has(form))
        return fail(
            ErrorCode::unsupported,
            "this is " + std::string(name_of(form).one) + " and no recording: parcast predict takes it",
            SourcePosition{path, {}, {}, {}});
    auto place = recorded.error().place.value_or(SourcePosition{});
    place.file = path;
    recorded.error().place = std::move(place);
    return recorded;
}

Result<Timeline> open_recording(std::string const& path, trace::BeginEvents const& begin) {
    Stage const stage(reading_text(path));
    auto const file = InputFile::open(path);
    auto recorded = file ? recording_in(*file, path, begin) : Result<Timeline>(pass_on(file));
    if (!recorded)
        return fail(with_advice(recorded.error(), advice_for_recording(recorded.error().code)));
    return recorded;
}

Result<ImportOptions> import_options(TaskGraphReading const& reading) {
    ImportOptions options;
    for (auto const& assignment : reading.set)
        if (auto const assigned = symbolic::assign(options.given, assignment); !assigned)
            return fail(make_error(ErrorCode::unasked, "--set: " + assigned.error().message, graph_help));
    if (reading.unit) {
        options.unit_ns = unit_ns(*reading.unit);
        if (!options.unit_ns)
            return fail(make_error(ErrorCode::unasked,
                                   "--unit: \"" + *reading.unit + "\" is none of " + time_units, graph_help));
    }
    return options;
}

bool lacks_line(Error const& error) {
    return error.code == ErrorCode::inconsistent && error.place && !error.place->line;
}

Result<ImportedGraph> import_graph(std::string const& path, ImportOptions options) {
    auto const file = InputFile::open(path);
    auto text = file ? file->text() : Result<std::string>(pass_on(file));
    if (!text)
        return pass_on(text);
    auto const format = task_graph_format(*text).value_or(TaskGraphFormat::json);
    auto const bytes = text->size();
    auto graph = import_task_graph(std::move(*text), path, options);
    if (graph) {
        ImportedGraph imported{std::move(*graph), format};
        if (imported.graph.cpus)
            imported.for_cpus = [path, options](std::uint32_t cpus) -> Result<TaskGraph> {
                auto again = read_text(path);
                if (!again)
                    return pass_on(again);
                auto for_count = options;
                for_count.cpus = cpus;
                return import_task_graph(std::move(*again), path, for_count);
            };
        return imported;
    }
    if (bytes <= options.most_kept_bytes || !lacks_line(graph.error()))
        return pass_on(graph);
    // Once more with its lines kept, however large it is: where a large graph has a cycle.
    options.most_kept_bytes = bytes;
    return import_graph(path, options);
}

// Settings that the model does not have are the command line's.
bool is_of_settings(pamela::Diagnostic const& each) {
    return each.severity == pamela::Severity::error && !each.place.line;
}

Error error_of_model(std::string const& path, std::span<pamela::Diagnostic const> diagnostics) {
    auto const errors =
        std::ranges::count(diagnostics, pamela::Severity::error, &pamela::Diagnostic::severity);
    auto const of_settings = std::ranges::find_if(diagnostics, is_of_settings);
    if (errors > std::ranges::count_if(diagnostics, is_of_settings))
        return make_error(ErrorCode::inconsistent, path + " has " + counted(errors, "error"), model_help);
    auto const hint = of_settings->hint.empty() ? "" : ": " + of_settings->hint;
    return make_error(ErrorCode::unasked, path + ": " + of_settings->message + hint,
                      "What can be set: its numeric equations without formal parameters.");
}

}  // namespace

Form form_of(std::string const& path) {
    if (path.ends_with(".pam"))
        return Form::model;
    auto const file = InputFile::open(path);
    auto const bytes = file ? file->head(head_bytes) : std::vector<std::byte>();
    std::string_view const head(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (std::ranges::find(model_keywords, first_word(head)) != model_keywords.end())
        return Form::model;
    if (is_threads_json(head))
        return Form::threads;
    if (is_steps_json(head))
        return Form::steps;
    if (message_format(head) || simgrid_trace_files(head))
        return Form::messages;
    return task_graph_format(head) ? Form::task_graph : Form::recording;
}

bool is_recording_file(std::string const& path) {
    auto const file = InputFile::open(path);
    return file && trace::begins_recording(file->head(trace::recording_magic.size()));
}

Result<Timeline> load_recording(std::string const& path) {
    return open_recording(path, trace::keep_recording);
}

Result<SurveyedRecording> survey_recording(std::string const& path) {
    std::optional<analysis::Surveyor> surveyor;
    auto recorded = open_recording(path, [&](Timeline& recording) {
        surveyor.emplace(recording);
        return RecordingSink{
            [&](ThreadId thread, std::span<Event const> events) { surveyor->add(thread, events); },
            [&](ThreadId, std::span<WorkShare const> shares) { surveyor->add_shares(shares); }};
    });
    if (!recorded)
        return pass_on(recorded);
    auto survey = surveyor->finish(recorded->catalogue);
    return SurveyedRecording{std::move(*recorded), std::move(survey)};
}

Result<ImportedGraph> read_task_graph(std::string const& path, TaskGraphReading const& reading) {
    Stage const stage(reading_text(path));
    auto const options = import_options(reading);
    if (!options)
        return pass_on(options);
    auto graph = import_graph(path, *options);
    if (!graph)
        return fail(with_advice(graph.error(), graph_help));
    return graph;
}

Result<ThreadProgram> read_threads(std::string const& path) {
    Stage const stage(reading_text(path));
    auto const file = InputFile::open(path);
    auto text = file ? file->text() : Result<std::string>(pass_on(file));
    auto program = text ? threads_from_json(std::move(*text), path) : Result<ThreadProgram>(pass_on(text));
    if (!program)
        return fail(with_advice(program.error(), threads_help));
    return program;
}

Result<StepProgram> read_steps(std::string const& path) {
    Stage const stage(reading_text(path));
    auto const file = InputFile::open(path);
    auto text = file ? file->text() : Result<std::string>(pass_on(file));
    auto program = text ? steps_from_json(std::move(*text), path) : Result<StepProgram>(pass_on(text));
    if (!program)
        return fail(with_advice(program.error(), steps_help));
    return program;
}

namespace {

// A SimGrid trace that is spread over files, which lie beside the list.
Result<ImportedMessages> read_traces(std::string const& path, std::span<std::string const> names,
                                     MessageImportOptions const& options) {
    auto const folder = std::filesystem::path(path).parent_path();
    std::vector<std::string> paths;
    std::vector<std::string> texts;
    for (auto const& name : names) {
        paths.push_back((folder / name).string());
        auto text = read_text(paths.back());
        if (!text)
            return pass_on(text);
        texts.push_back(std::move(*text));
    }
    std::vector<NamedText> named;
    for (std::size_t i = 0; i < texts.size(); ++i)
        named.push_back({paths[i], texts[i]});
    return import_messages(named, options);
}

Result<ImportedMessages> read_messages_in(std::string const& path, MessageImportOptions const& options) {
    auto const file = InputFile::open(path);
    auto const text = file ? file->text() : Result<std::string>(pass_on(file));
    if (!text)
        return pass_on(text);
    if (!message_format(*text))
        if (auto const names = simgrid_trace_files(*text))
            return read_traces(path, *names, options);
    return import_messages(*text, path, options);
}

}  // namespace

Result<ImportedMessages> read_messages(std::string const& path, MessageImportOptions const& options) {
    Stage const stage(reading_text(path));
    auto imported = read_messages_in(path, options);
    if (!imported)
        return fail(with_advice(imported.error(), messages_help));
    return imported;
}

Result<std::vector<pamela::Setting>> settings_in(std::span<std::string const> assignments) {
    std::vector<pamela::Setting> settings;
    for (std::string_view const assignment : assignments) {
        auto const sign = std::min(assignment.find('='), assignment.size());
        auto const value = number_in(assignment.substr(std::min(sign + 1, assignment.size())));
        if (sign == 0 || !value) {
            return fail(make_error(
                ErrorCode::unasked,
                "--set: \"" + std::string(assignment) + "\" is no assignment of a number, like N=1e6",
                model_help));
        }
        settings.push_back({std::string(assignment.substr(0, sign)), *value});
    }
    return settings;
}

pamela::ReadFile files_beside(std::string const& path) {
    return [folder = std::filesystem::path(path).parent_path()](std::string_view name) {
        return read_text((folder / name).string());
    };
}

Result<ProcessModel> read_process_model(std::string const& path, std::span<pamela::Setting const> settings,
                                        Diagnostics diagnostics) {
    Stage const stage(reading_text(path));
    auto const file = InputFile::open(path);
    auto const text = file ? file->text() : Result<std::string>(pass_on(file));
    if (!text)
        return fail(with_advice(text.error(), model_help));
    auto compilation = pamela::compile(*text, path, settings, files_beside(path));
    auto& found = compilation.diagnostics;
    bool const has_model = compilation.succeeded();
    auto failure = has_model ? std::optional<Error>() : error_of_model(path, found);
    // The failure says it.
    if (failure && failure->code == ErrorCode::unasked)
        std::erase_if(found, is_of_settings);
    if (diagnostics == Diagnostics::print)
        std::fputs(pamela::describe(found, *text).c_str(), stderr);
    if (failure)
        return fail(std::move(*failure));
    return std::move(compilation.model);
}

}  // namespace parcast::cli
