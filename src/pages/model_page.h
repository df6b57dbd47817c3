// The report of a model: one HTML document without a script, with the picture of a sweep, the table of its
// points, the formulas, and the text of the model.

#pragma once

#include <string>
#include <string_view>

#include "forecast/forecast.h"

namespace parcast::pages {

// `text`: of the model.
std::string model_page(forecast::Forecast forecast, std::string_view text, std::string_view parcast_version);

}  // namespace parcast::pages
