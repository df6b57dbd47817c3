#include "cli/predict_command.h"

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/page_of_graph.h"
#include "cli/predict_model.h"
#include "cli/predict_task_graph.h"
#include "cli/predicted_file.h"
#include "cli/predicted_graph.h"
#include "cli/predicted_model.h"
#include "cli/process_model_file.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/prediction_json.h"
#include "report/prediction_text.h"

namespace parcast::cli {

namespace {

int say(PredictArguments const& arguments, report::Prediction const& prediction) {
    if (arguments.json) {
        auto const rows = arguments.threads_table ? report::ThreadRows::present : report::ThreadRows::absent;
        return print_result(report::prediction_json(prediction, version, rows));
    }
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                report::Detail::short_form};
    std::string text = report::prediction_text(prediction, layout);
    if (arguments.threads_table)
        text += report::threads_text(prediction, layout);
    report::Layout assumptions = layout;
    assumptions.detail = arguments.assumptions ? report::Detail::all : report::Detail::short_form;
    return print_result(text + report::assumptions_text(prediction, assumptions));
}

}  // namespace

int predict(PredictArguments const& arguments) {
    if (is_process_model_file(arguments.file))
        return predict_model(arguments);
    if (auto const option = option_of_models(arguments)) {
        return print_failure(make_error(
            ErrorCode::unasked, *option + " is for models, and " + arguments.file + " is none.",
            "Models are text that begins with numeric, process or resource: docs/formats/pamela.md."));
    }
    if (is_task_graph_file(arguments.file))
        return predict_task_graph(arguments);
    if (auto const option = option_of_task_graphs(arguments))
        return print_failure(refusal_for_recording(*option, arguments.file));
    auto const predicted = predicted_file(arguments);
    if (!predicted)
        return print_failure(predicted.error());
    auto const& prediction = predicted->prediction;
    int const status = say(arguments, prediction);
    return status == exit_success && has_deadlock(prediction) ? print_failure(impossible(prediction.runs))
                                                              : status;
}

}  // namespace parcast::cli
