#include "cli/verbs/report.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/measured_file.h"
#include "cli/files/output_file.h"
#include "cli/files/process_model_file.h"
#include "cli/files/recording.h"
#include "cli/files/task_graph_file.h"
#include "cli/input.h"
#include "cli/messages.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/page/page_of_graph.h"
#include "cli/page/report_elements.h"
#include "cli/page/task_graph_elements.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/report_model.h"
#include "cli/verbs/report_output.h"
#include "cli/version.h"
#include "page/assets.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::ordered_json;

// What is shown, its title, and the elements that show it.
struct Report {
    Json input;
    std::string title;
    ReportElements content;
    std::optional<Error> no_prediction;  // for some numbers of CPUs, or for all
};

std::string report_json(std::string const& file, std::size_t bytes, Report const& written) {
    auto json = report::envelope("report", version, written.input);
    json["file"] = file;
    json["bytes"] = bytes;
    json["elements"] = Json::array();
    for (auto const& element : written.content.elements)
        json["elements"].push_back({{"id", element.id}, {"bytes", element.packed.size()}});
    json["notes"] = written.content.notes;
    return report::to_text(json);
}

int say(ReportArguments const& arguments, std::string const& file, std::size_t bytes, Report const& written) {
    for (auto const& note : written.content.notes)
        print_warning(note);
    if (arguments.json)
        return print_result(report_json(file, bytes, written));
    if (file == OutputFile::standard_output)
        return exit_success;
    return print_result("wrote " + file + " (" + report::bytes_text(bytes) +
                        "): open it in a browser; it needs no network and no parcast\n");
}

// What the report has beside the prediction, before the events are freed.
ReportContent content_of(ReportArguments const& arguments, Timeline const& recorded) {
    ReportContent content;
    content.recorded = view::recorded_execution(recorded);
    content.source_text = arguments.source_text;
    return content;
}

// Writes it, and says so.
int finish(ReportArguments const& arguments, std::string const& file, Report const& report,
           Progress& progress) {
    auto const document = page::with_data(page::template_page(), report.title, report.content.elements);
    auto const refusal = write_report(file, document, arguments.force);
    progress.clear();
    return refusal ? print_failure(*refusal) : say(arguments, file, document.size(), report);
}

Result<Report> report_of_graph(PredictArguments replay, Input input) {
    auto const& file = replay.file;
    if (auto refusal = reason_not_to_show(std::get<ImportedGraph>(input.content).graph, file))
        return tl::unexpected(std::move(*refusal));
    if (replay.question.schedule.schedules.empty())
        replay.question.schedule.schedules = usual_schedules();
    auto const predicted = forecast_input(std::move(input), replay);
    if (!predicted)
        return pass_on(predicted);
    auto content = task_graph_elements(*predicted, workers(replay));
    if (!content)
        return fail(with_code(ErrorCode::inconsistent, content.error(),
                              "What it would take: parcast predict " + file));
    auto const& basis = predicted->answer.graph();
    return Report{report::input_json(predicted->answer), basis.name.empty() ? file : basis.name,
                  std::move(*content), std::nullopt};
}

Result<Report> report_of_recording(ReportArguments const& arguments, Input input) {
    auto const& recorded = std::get<Timeline>(input.content);
    auto content = content_of(arguments, recorded);
    PackedRuns runs(recorded.provenance.pretended_cpus.value_or(1));
    auto asked = arguments.replay;
    asked.question.detail = RunDetail::operations;
    auto const predicted =
        forecast_input(std::move(input), asked,
                       [&runs](Run& run, ThreadProgram const& program, Machine const& machine,
                               simulate::Pairing pairing) { runs.add(run, program, machine, pairing); });
    if (!predicted)
        return pass_on(predicted);
    auto const& answer = predicted->answer;
    content.executions = runs.take(answer);
    if (arguments.measured) {
        auto points = measured_file(*arguments.measured, answer);
        if (!points)
            return pass_on(points);
        content.measured = std::move(*points);
    }
    auto elements = report_elements(*predicted, std::move(content));
    return Report{report::input_json(answer), report::command_line(answer.recording().provenance.command),
                  std::move(elements),
                  has_deadlock(answer) ? std::optional(impossible(answer.rows)) : std::nullopt};
}

int report(ReportArguments const& arguments, GivenOptions const& given) {
    std::string const file = output_name(arguments);
    if (auto const refusal = reason_not_to_write(arguments, file))
        return print_failure(*refusal);
    auto input = open_input(arguments.replay, given);
    if (!input)
        return print_failure(input.error());
    if (input->form() == Form::model)
        return report_model(arguments, std::move(*input), file);
    Progress progress;
    progress.say("predicting " + arguments.replay.file);
    auto const written = input->form() == Form::task_graph
                             ? report_of_graph(arguments.replay, std::move(*input))
                             : report_of_recording(arguments, std::move(*input));
    if (!written) {
        progress.clear();
        return print_failure(written.error());
    }
    progress.say("writing " + file);
    int const status = finish(arguments, file, *written, progress);
    return status == exit_success && written->no_prediction ? print_failure(*written->no_prediction) : status;
}

void describe_options(OptionTable& options, ReportArguments& arguments) {
    options.input("FILE", every_form, arguments.replay.file);
    options.option("-o, --output FILE", arguments.output, file_name,
                   "write to FILE, - for standard output; default: NAME.html in the working directory");
    options.flag("--force", arguments.force, "replace an existing file");
    options.flag("--json", arguments.json, "print what was written as JSON: docs/formats/report.schema.json");
    describe_jobs(options, arguments.replay);
    options.section({Form::recording, Form::task_graph});
    options.option("--cpus LIST", arguments.replay.cpus, parse_page_cpus,
                   "numbers of CPUs to predict, such as 1,2,4-16; default: as for predict");
    describe_replay(options, arguments.replay);
    describe_page_of_recording(options, arguments.measured, arguments.source_text);
    describe_task_graph(options, arguments.replay);
    describe_model(options, arguments.replay.question.sweep);
}

}  // namespace

Verb const report_verb{
    .name = "report",
    .example = "report pigz.4711.parcast",
    .summary = "one HTML file to look at, to replay and to pass on",
    .examples = R"(
  parcast report pigz.4711.parcast
  parcast report pigz.4711.parcast -o pigz.html --cpus 1,2,4-16
  parcast report pigz.4711.parcast --no-source-text --force
  parcast report graph.json -o graph.html --cpus 1-16 --schedule fifo,lpt,block
  parcast report mrm.pam --set N=1000 --sweep P=1..500:log --per N --method both
)",
    .description = R"(
Writes a prediction as one HTML file, which opens from disk in any current browser, without a network
and without parcast. It contains, for

  a recording    the prediction, its timelines, and the simulator itself: whoever gets the file can
                 choose other numbers of CPUs and another scheduler
  a task graph   the schedules and numbers of CPUs that it was written for
  a model        the chart of a sweep, the table of its points, the formulas and the text of the model
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 a replay deadlocks, which the report shows; "
        "5 the report could not be written",
    .see_also = "predict view",
    .prepare = prepared<ReportArguments, describe_options, report>,
};

}  // namespace parcast::cli
