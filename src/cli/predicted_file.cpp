#include "cli/predicted_file.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "cli/exit_status.h"
#include "cli/recording.h"
#include "cli/target_machine.h"

namespace parcast::cli {

unsigned workers(PredictArguments const& arguments) {
    return arguments.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

Result<PredictedProgram> predicted_file(PredictArguments const& arguments) {
    auto recorded = load_recording(arguments.file);
    if (!recorded)
        return fail(with_advice(recorded.error(), advice_for_recording(recorded.error())));
    auto const target = target_machine(arguments);
    if (!target)
        return fail(with_advice(target.error(), advice_for_machine(arguments)));
    return predict_program(arguments.file, std::move(*recorded), *target, arguments.model, workers(arguments),
                           arguments.tasks);
}

bool has_deadlock(report::Prediction const& prediction) {
    return std::ranges::any_of(prediction.runs, [](auto const& run) { return run.deadlock.has_value(); });
}

Error impossible(std::vector<report::PredictedRun> const& runs) {
    bool const all_deadlock =
        std::ranges::all_of(runs, [](auto const& run) { return run.deadlock.has_value(); });
    return make_error(
        ErrorCode::impossible,
        all_deadlock ? "the replay deadlocks on every number of CPUs: there is no prediction."
                     : "the replay deadlocks on some numbers of CPUs: there is no prediction for them.",
        "What a replay takes for granted: parcast predict --assumptions FILE, and docs/replay.md.");
}

}  // namespace parcast::cli
