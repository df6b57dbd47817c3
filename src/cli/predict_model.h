// parcast predict MODEL: the moments of the execution time of a model in the PAMELA language.

#pragma once

#include "cli/predict_command.h"

namespace parcast::cli {

// Returns an exit status.
int predict_model(PredictArguments const& arguments);

}  // namespace parcast::cli
