// From a recording's file to its prediction: the first half of `predict`, `view` and `report`.

#pragma once

#include <tl/expected.hpp>

#include "cli/prediction.h"

namespace parcast::cli {

// As many as the arguments say, else as this machine has CPUs.
unsigned workers(PredictArguments const& arguments);

// Reads the recording and the machine, and predicts. Refuses what cannot be read or replayed.
tl::expected<PredictedProgram, Refusal> predicted_file(PredictArguments const& arguments);

// What to say when there is no prediction for some counts, or for all.
Refusal impossible(std::vector<report::PredictedRun> const& runs);
bool has_deadlock(report::Prediction const& prediction);

}  // namespace parcast::cli
