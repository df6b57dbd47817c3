// Which model took over from the direct one, and what that means for the predictions.

#pragma once

#include <optional>
#include <string>

#include "answer/answer.h"

namespace parcast::forecast {

// One sentence or more for the assumptions of the answer; none if the direct model made the predictions
// without help, or the model that was asked for.
std::optional<std::string> model_assumption(RecordingBasis const& basis);

}  // namespace parcast::forecast
