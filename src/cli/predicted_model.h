// From the file of a model to its prediction: compiled, its formulas evaluated at every point asked for.

#pragma once

#include "cli/predict_command.h"
#include "core/result.h"
#include "report/model_prediction.h"

namespace parcast::cli {

// Refuses what cannot be read or compiled, parameters without a value, and values that the model has no time
// at.
Result<report::ModelPrediction> predicted_model(PredictArguments const& arguments);

// The first option that was given and means something for models only.
std::optional<std::string> option_of_models(PredictArguments const& arguments);

}  // namespace parcast::cli
