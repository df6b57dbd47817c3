// parcast export FILE: writes the predicted or the recorded execution, or the program, for other tools.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/export_program.h"
#include "cli/verbs/predict.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/time_text.h"
#include "pages/exported_execution.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/text.h"
#include "trace/exports/formats.h"

namespace parcast::cli {

namespace {

using pages::ExportedExecution;
using report::Json;
using trace::Execution;
using trace::ExportContent;
using trace::ExportFormat;
using trace::Output;

struct ExportArguments {
    PredictArguments replay;  // file, CPUs (one count), scheduler, machine, model, tasks
    ExportFormat const* format = &trace::export_formats().front();
    std::optional<std::string>
        output;             // "-": standard output; absent: NAME.8cpus.ENDING in the working directory
    bool recorded = false;  // what was measured, not what is predicted
    bool events = false;    // every operation, too
    bool force = false;     // replace existing files
    bool json = false;

    friend bool operator==(ExportArguments const&, ExportArguments const&) = default;
};

struct WrittenFile {
    std::string name;
    std::uint64_t bytes = 0;
};

Existing existing_exports(ExportArguments const& arguments) {
    return arguments.force ? Existing::replace : Existing::keep;
}

// "pigz.4711.8cpus.pftrace", "pigz.4711.recorded.pftrace", "halo.replay.pftrace"
std::string usual_name(ExportArguments const& arguments, std::string const& execution) {
    std::vector<std::string> endings;
    for (auto const& file : arguments.format->files)
        endings.push_back("." + std::string(file.ending));
    return usual_output(std::filesystem::path(arguments.replay.file).stem().string() + "." + execution,
                        endings.front(), existing_exports(arguments), endings);
}

Result<WrittenFile> write_file(std::string const& path, Existing existing, trace::ExportedFile const& format,
                               Execution const& execution) {
    auto file = OutputFile::open(path, existing);
    if (!file)
        return pass_on(file);
    Output output([&](std::string_view bytes) { return file->write(bytes); });
    format.write(execution, output);
    auto const bytes = output.finish();
    if (!bytes)
        return pass_on(bytes);
    if (auto finished = file->finish(); !finished)
        return pass_on(finished);
    return WrittenFile{path, *bytes};
}

// The first one as it is named, others beside it.
std::vector<std::string> names_of_files(ExportFormat const& format, std::string const& path) {
    std::vector<std::string> names;
    for (auto const& file : format.files)
        names.push_back(names.empty() ? path
                                      : std::filesystem::path(path).replace_extension(file.ending).string());
    return names;
}

Result<void> check_files(ExportArguments const& arguments, std::string const& path) {
    for (auto const& name : names_of_files(*arguments.format, path))
        if (auto const checked = check_output(name, existing_exports(arguments), arguments.replay.file);
            !checked)
            return checked;
    return {};
}

Result<std::vector<WrittenFile>> write_files(ExportArguments const& arguments, Execution const& execution,
                                             std::string const& path) {
    std::vector<WrittenFile> files;
    auto const names = names_of_files(*arguments.format, path);
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto written =
            write_file(names[i], existing_exports(arguments), arguments.format->files[i], execution);
        if (!written)
            return fail(with_code(ErrorCode::not_written, written.error(), written.error().advice));
        files.push_back(std::move(*written));
    }
    return files;
}

std::int64_t releases(Timeline const& timeline) {
    if (!trace::has_releases(timeline))
        return 0;
    auto const& rows = *timeline.intervals;
    std::int64_t count = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
        count += trace::is_released(rows, row) ? 1 : 0;
    return count;
}

std::int64_t events(Execution const& execution) {
    std::int64_t count = 0;
    for (std::size_t thread = 0; execution.marks && thread < execution.timeline->catalogue.threads.size();
         ++thread)
        count += static_cast<std::int64_t>(execution.marks(ThreadId(thread)).size());
    return count;
}

// What is exported, and the "input" of the JSON about it.
struct Export {
    ExportedExecution exported;
    Json input;
};

std::string answer_as_json(ExportArguments const& arguments, Export const& content,
                           Execution const& execution, std::vector<WrittenFile> const& files) {
    auto const or_null = [](std::string const& text) { return text.empty() ? Json() : Json(text); };
    auto const& exported = content.exported;
    Timeline const& timeline = exported.timeline;
    Json json = report::envelope("export", version, content.input);
    json["format"] = arguments.format->name;
    json["execution"] = {{"origin", arguments.recorded ? "recorded" : "predicted"},
                         {"cpus", timeline.cpus},
                         {"scheduler", or_null(exported.scheduler)},
                         {"model", or_null(exported.model)},
                         {"time_ns", timeline.length.ns},
                         {"deadlock_ns", exported.deadlock ? Json(exported.deadlock->ns) : Json()},
                         {"threads", timeline.catalogue.threads.size()},
                         {"intervals", timeline.intervals->size()},
                         {"releases", releases(timeline)},
                         {"events", execution.marks ? Json(events(execution)) : Json()},
                         {"messages", exported.ranks ? Json(timeline.messages.size()) : Json()}};
    json["files"] = Json::array();
    for (auto const& file : files)
        json["files"].push_back({{"file", file.name}, {"bytes", file.bytes}});
    return report::to_text(json);
}

std::string answer_as_text(ExportArguments const& arguments, ExportedExecution const& exported,
                           std::vector<WrittenFile> const& files) {
    Timeline const& timeline = exported.timeline;
    std::string text =
        report::printable(exported.title) + " on " + exported.setting +
        (arguments.recorded ? ", recorded: " : ", predicted: ") + time_text(timeline.length) + ", " +
        counted(static_cast<std::int64_t>(timeline.catalogue.threads.size()), "thread") + ", " +
        counted(static_cast<std::int64_t>(timeline.intervals->size()), "interval") +
        (exported.ranks ? ", " + counted(static_cast<std::int64_t>(timeline.messages.size()), "message")
                        : "") +
        "\n";
    for (auto const& file : files)
        text += "wrote " + report::printable(file.name) + " (" + bytes_text(file.bytes) + ")\n";
    return text + "open it with " + std::string(arguments.format->opened_by) + "\n";
}

int print_deadlock(ExportedExecution const& exported) {
    print_error("the replay deadlocks after " + time_text({exported.deadlock->ns}) +
                    ": what was written goes up to there.",
                exported.ranks ? "Who waits for whom: parcast predict FILE"
                               : "Who waits for what: parcast predict --cpus " +
                                     std::to_string(exported.timeline.cpus) + " FILE");
    return exit_impossible;
}

// What of the options does not fit together.
Result<void> consistency_of(ExportArguments const& arguments) {
    auto const& files = arguments.format->files;
    auto const ending = "." + std::string(files.front().ending);
    if (files.size() > 1 && arguments.output && !arguments.output->ends_with(ending))
        return fail(ErrorCode::unasked, std::string(arguments.format->name) + " is " +
                                            std::string(arguments.format->meaning) + ": give -o NAME" +
                                            ending);
    if (arguments.output == "-" && arguments.format->is_binary && is_terminal(Stream::output))
        return fail(ErrorCode::unasked, std::string(arguments.format->name) +
                                            " is binary, and standard output is a terminal: name a file "
                                            "with -o, or write it to a pipe");
    auto const& replay = arguments.replay;
    if (replay.cpus && replay.cpus->size() != 1)
        return fail(ErrorCode::unasked, "--cpus: one number of CPUs is exported at a time");
    auto const& schedules = replay.question.schedule.schedules;
    if (schedules.size() > 1 || (!schedules.empty() && schedules.front() == "all"))
        return fail(make_error(ErrorCode::unasked, "--schedule: one schedule is exported at a time: name one",
                               "For example: parcast export graph.json --cpus 8 --schedule lpt"));
    bool const names_machine =
        replay.scheduler || replay.lwps || replay.waiting || replay.machine_file || replay.memory;
    if (arguments.format->content == ExportContent::program &&
        (names_machine || replay.cpus || replay.plan || arguments.recorded || arguments.events))
        return fail(make_error(
            ErrorCode::unasked,
            "--format " + std::string(arguments.format->name) +
                " writes the program, not an execution: --cpus, --recorded, --events, --scheduler, "
                "--machine, --memory and --plan are for executions",
            "Name the CPUs where you run it: taskset -c 0,1 " + std::string(arguments.format->opened_by) +
                " FILE"));
    if (arguments.recorded && (names_machine || replay.question.replay != ReplayQuestion()))
        return fail(ErrorCode::unasked,
                    "--recorded exports what was measured: --scheduler, --machine, --memory, --model and "
                    "--tasks are for predictions");
    return {};
}

// The format holds messages or threads, and the program has none.
Result<void> check_format(ExportArguments const& arguments, Form form) {
    auto const content = arguments.format->content;
    bool const fits = content == ExportContent::messages  ? networked_forms.has(form)
                      : content == ExportContent::program ? replayed_forms.has(form)
                                                          : true;
    if (fits)
        return {};
    return fail(ErrorCode::unasked,
                "--format " + std::string(arguments.format->name) + " is for programs that " +
                    (content == ExportContent::messages ? "send messages" : "have threads") + ", and " +
                    arguments.replay.file + " is " + std::string(name_of(form).one));
}

// What it is of the program, for its name: "8cpus", "recorded", "replay", "rt-app". Errors: unasked.
Result<std::string> exported_execution(ExportArguments const& arguments, Form form) {
    if (arguments.format->content == ExportContent::program)
        return std::string(arguments.format->name);
    if (arguments.recorded)
        return "recorded";
    if (networked_forms.has(form))
        return "replay";
    auto const target = target_machine(arguments.replay, form);
    if (!target)
        return pass_on(target);
    if (target->cpus.size() != 1)
        return fail(make_error(
            ErrorCode::unasked, "export needs one number of CPUs",
            form == Form::recording ? "Name it with --cpus N, or export what was measured with --recorded."
            : form == Form::threads ? "Name it with --cpus N."
                                    : "For example: parcast export graph.json --cpus 8 --schedule lpt"));
    return std::to_string(target->cpus.front()) + "cpus";
}

Result<Export> predicted_export(Input input, ExportArguments const& arguments) {
    auto asked = arguments.replay;
    asked.question.detail = arguments.events ? RunDetail::operations : RunDetail::timeline;
    auto forecast = forecast_input(std::move(input), asked);
    if (!forecast)
        return pass_on(forecast);
    auto json = report::input_json(forecast->answer);
    return Export{pages::predicted_for_export(std::move(*forecast)), std::move(json)};
}

Result<Export> content_of(Input input, ExportArguments const& arguments) {
    if (!arguments.recorded)
        return predicted_export(std::move(input), arguments);
    auto& recorded = std::get<Timeline>(input.content);
    auto json = report::input_json(input.file, recorded.provenance);
    return Export{pages::recorded_for_export(std::move(recorded)), std::move(json)};
}

int export_execution(ExportArguments const& arguments, GivenOptions const& given) {
    auto input = open_input(arguments.replay, given);
    if (!input)
        return print_failure(input.error());
    if (auto const fits = check_format(arguments, input->form()); !fits)
        return print_failure(fits.error());
    auto const which = exported_execution(arguments, input->form());
    if (!which)
        return print_failure(which.error());
    auto const path = arguments.output ? *arguments.output : usual_name(arguments, *which);
    if (auto const checked = check_files(arguments, path); !checked)
        return print_failure(checked.error());
    if (arguments.format->content == ExportContent::program)
        return export_program(
            std::move(*input), arguments.replay,
            {std::string(arguments.format->name), path, existing_exports(arguments), arguments.json});
    auto const content = content_of(std::move(*input), arguments);
    if (!content)
        return print_failure(content.error());
    auto const& exported = content->exported;
    auto const execution = pages::execution_of(
        exported, arguments.events ? pages::Operations::present : pages::Operations::absent);
    auto const files = write_files(arguments, execution, path);
    if (!files)
        return print_failure(files.error());
    int status = exit_success;
    if (arguments.json)
        status = print_result(answer_as_json(arguments, *content, execution, *files));
    else if (path != OutputFile::standard_output && !current_manners().quiet)
        status = print_result(answer_as_text(arguments, exported, *files));
    return status == exit_success && exported.deadlock ? print_deadlock(exported) : status;
}

void describe_options(OptionTable& options, ExportArguments& arguments) {
    options.input("FILE", forms_with_machines, arguments.replay.file);
    options.section(forms_with_runs);
    options.option("--cpus N", arguments.replay.cpus, parse_cpu_list, "export the prediction for N CPUs")
        .excludes("--recorded");
    options.section(every_form);
    Choices<ExportFormat const*> formats;
    std::string meanings;
    for (auto const& format : trace::export_formats()) {
        meanings += (formats.empty() ? "" : "; ") + std::string(format.name) +
                    (formats.empty() ? " (default): " : ": ") + std::string(format.meaning);
        formats.emplace_back(format.name, &format);
    }
    options.option("--format NAME", arguments.format, one_of(formats), meanings);
    options
        .option(
            "-o, --output FILE", arguments.output, file_name,
            "write to FILE, - for standard output; default: NAME.PID.8cpus.ENDING in the working directory")
        .for_output();
    options.flag("--force", arguments.force, "replace an existing file");
    options.section({Form::recording});
    options.flag("--recorded", arguments.recorded, "export the recorded execution, measured on one CPU");
    options.section(replayed_forms);
    options.flag("--events", arguments.events, "add every operation: each lock, wait, signal, create, ...");
    describe_jobs(options, arguments.replay);
    describe_replay(options, arguments.replay);
    describe_task_graph(options, arguments.replay);
    describe_messages(options, arguments.replay);
    options.section(every_form);
    options.flag("--json", arguments.json, "print what was written as JSON: docs/formats/export.schema.json");
    options.check([&arguments] { return consistency_of(arguments); });
}

}  // namespace

Verb const export_verb{
    .name = "export",
    .example = "export pigz.4711.parcast --cpus 8",
    .summary = "a predicted execution, for Perfetto and other tools",
    .examples = R"(
  parcast export pigz.4711.parcast --cpus 8
  parcast export pigz.4711.parcast --recorded --events -o measured.pftrace
  parcast export pigz.4711.parcast --cpus 8 --format csv -o intervals.csv
  parcast export graph.json --cpus 24 --schedule lpt
  parcast export app.goal --network infiniband-qdr --format paraver -o app.prv
  parcast export pigz.4711.parcast --format rt-app
)",
    .description = R"(
Writes an execution for other tools: what every thread does when, on which CPU, what it waits for and
who ends its waiting. It is either the predicted execution (--cpus) or the recorded one (--recorded).
For a task graph it is the schedule, with a thread for each task. For a program that sends messages it is
the replay on a network, with its messages; steps are replayed as if they overlapped.
--format rt-app writes the program itself, for the kernel to schedule: docs/formats/rt-app.md.
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 the replay deadlocks, and what was written goes up "
        "to "
        "there; 5 a file could not be written",
    .see_also = "predict view",
    .prepare = prepared<ExportArguments, describe_options, export_execution>,
};

}  // namespace parcast::cli
