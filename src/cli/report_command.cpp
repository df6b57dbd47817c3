#include "cli/report_command.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/measured_file.h"
#include "cli/messages.h"
#include "cli/output_file.h"
#include "cli/page_of_graph.h"
#include "cli/predicted_file.h"
#include "cli/predicted_graph.h"
#include "cli/predicted_model.h"
#include "cli/process_model_file.h"
#include "cli/progress.h"
#include "cli/recording.h"
#include "cli/report_elements.h"
#include "cli/report_model.h"
#include "cli/report_output.h"
#include "cli/task_graph_elements.h"
#include "cli/task_graph_file.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "page/assets.h"
#include "report/envelope.h"
#include "report/format.h"
#include "report/json_parts.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::ordered_json;

// What is shown, its title, and the elements that show it.
struct Report {
    Json input;
    std::string title;
    ReportElements content;
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

// The events of the recording are not kept while its program is replayed: they are read again.
Result<ReportContent> content_of(ReportArguments const& arguments, report::Prediction const& prediction) {
    ReportContent content;
    if (arguments.measured) {
        auto points = measured_file(*arguments.measured, prediction);
        if (!points)
            return pass_on(points);
        content.measured = std::move(*points);
    }
    auto recorded = load_recording(arguments.replay.file);
    if (!recorded)
        return fail(with_advice(recorded.error(), advice_for_recording(recorded.error())));
    content.recorded = view::recorded_execution(*recorded);
    content.source_text = arguments.source_text;
    content.workers = workers(arguments.replay);
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

std::optional<std::string> option_of_reports_of_recordings(ReportArguments const& arguments) {
    if (arguments.measured)
        return "--measured";
    return arguments.source_text ? std::nullopt : std::optional<std::string>("--no-source-text");
}

Result<Report> report_of_graph(ReportArguments const& arguments) {
    auto const& file = arguments.replay.file;
    if (auto const option = option_of_reports_of_recordings(arguments))
        return tl::unexpected(refusal_for_graph(*option, file));
    auto replay = arguments.replay;
    if (replay.graph.schedules.empty())
        replay.graph.schedules = usual_schedules();
    auto const predicted = predicted_graph(replay, reason_not_to_show);
    if (!predicted)
        return pass_on(predicted);
    auto content = task_graph_elements(*predicted, workers(replay));
    if (!content) {
        return fail(make_error(ErrorCode::inconsistent, describe(content.error()) + ".",
                               "What it would take: parcast predict " + file));
    }
    auto const& prediction = predicted->prediction;
    return Report{{{"file", file}, {"format", prediction.format}},
                  prediction.name.empty() ? file : prediction.name,
                  std::move(*content)};
}

int report_task_graph(ReportArguments const& arguments, std::string const& file) {
    Progress progress;
    progress.say("predicting " + arguments.replay.file);
    auto const report = report_of_graph(arguments);
    if (!report) {
        progress.clear();
        return print_failure(report.error());
    }
    return finish(arguments, file, *report, progress);
}

}  // namespace

int report(ReportArguments const& arguments) {
    std::string const file = output_name(arguments);
    if (auto const refusal = reason_not_to_write(arguments, file))
        return print_failure(*refusal);
    if (is_process_model_file(arguments.replay.file))
        return report_model(arguments, file);
    if (auto const option = option_of_models(arguments.replay)) {
        return print_failure(make_error(
            ErrorCode::unasked, *option + " is for models, and " + arguments.replay.file + " is none.",
            "What there is: parcast help report."));
    }
    if (is_task_graph_file(arguments.replay.file))
        return report_task_graph(arguments, file);
    if (auto const option = option_of_task_graphs(arguments.replay))
        return print_failure(refusal_for_recording(*option, arguments.replay.file));
    Progress progress;
    progress.say("predicting " + arguments.replay.file);
    auto const predicted = predicted_file(arguments.replay);
    if (!predicted) {
        progress.clear();
        return print_failure(predicted.error());
    }
    auto const& prediction = predicted->prediction;
    auto content = content_of(arguments, prediction);
    if (!content) {
        progress.clear();
        return print_failure(content.error());
    }
    progress.say("writing " + file);
    auto elements = report_elements(*predicted, std::move(*content));
    if (!elements) {
        progress.clear();
        return print_failure(
            with_code(ErrorCode::bug, elements.error(), "Please report it with the recording."));
    }
    Report const report{report::input_json(prediction.file, prediction.provenance),
                        report::command_line(prediction.provenance.command), std::move(*elements)};
    int const status = finish(arguments, file, report, progress);
    return status == exit_success && has_deadlock(prediction) ? print_failure(impossible(prediction.runs))
                                                              : status;
}

}  // namespace parcast::cli
