#include "cli/predict_command.h"

#include <algorithm>
#include <thread>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/prediction.h"
#include "cli/recording.h"
#include "cli/target_machine.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/prediction_json.h"
#include "report/prediction_text.h"

namespace parcast::cli {

namespace {

unsigned workers(PredictArguments const& arguments) {
    return arguments.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

int say(PredictArguments const& arguments, report::Prediction const& prediction) {
    if (arguments.json) {
        auto const rows = arguments.threads_table ? report::ThreadRows::present : report::ThreadRows::absent;
        return print_result(report::prediction_json(prediction, version, rows));
    }
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                report::Detail::short_form};
    std::string text = report::prediction_text(prediction, layout);
    if (arguments.threads_table) {
        text += report::threads_text(prediction, layout);
    }
    report::Layout assumptions = layout;
    assumptions.detail = arguments.assumptions ? report::Detail::all : report::Detail::short_form;
    return print_result(text + report::assumptions_text(prediction, assumptions));
}

int say_impossible(std::vector<report::PredictedRun> const& runs) {
    bool const all_deadlock =
        std::all_of(runs.begin(), runs.end(), [](auto const& run) { return run.deadlock.has_value(); });
    print_error(all_deadlock
                    ? "the replay deadlocks on every number of CPUs: there is no prediction."
                    : "the replay deadlocks on some numbers of CPUs: there is no prediction for them.",
                "What a replay takes for granted: parcast predict --assumptions FILE, and docs/replay.md.");
    return exit_impossible;
}

}  // namespace

int predict(PredictArguments const& arguments) {
    auto recorded = load_recording(arguments.file);
    if (!recorded) {
        print_error(recorded.error(), advice_for_recording(recorded.error()));
        return exit_input;
    }
    auto const target = target_machine(arguments);
    if (!target) {
        print_error(target.error(), advice_for_machine(arguments));
        return exit_input;
    }

    auto const predicted =
        predict_recording(arguments.file, std::move(*recorded), *target, arguments.model, workers(arguments),
                          arguments.tasks);
    if (!predicted) {
        print_error(predicted.error().message, predicted.error().advice);
        return predicted.error().status;
    }
    report::Prediction const& prediction = *predicted;
    int const status = say(arguments, prediction);
    bool const is_impossible = std::any_of(prediction.runs.begin(), prediction.runs.end(),
                                           [](auto const& run) { return run.deadlock.has_value(); });
    return status == exit_success && is_impossible ? say_impossible(prediction.runs) : status;
}

}  // namespace parcast::cli
