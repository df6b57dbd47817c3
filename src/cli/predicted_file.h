// From a recording's file to its prediction: the first half of `predict`, `view` and `report`.

#pragma once

#include "cli/prediction.h"
#include "core/result.h"

namespace parcast::cli {

// As many as the arguments say, else as this machine has CPUs.
unsigned workers(PredictArguments const& arguments);

// Reads the recording and the machine, and predicts. Refuses what cannot be read or replayed.
Result<PredictedProgram> predicted_file(PredictArguments const& arguments);

// What to say when there is no prediction for some counts, or for all.
Error impossible(std::vector<report::PredictedRun> const& runs);
bool has_deadlock(report::Prediction const& prediction);

}  // namespace parcast::cli
