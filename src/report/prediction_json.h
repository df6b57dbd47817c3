// `parcast predict --json`: docs/formats/predict.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "report/prediction.h"

namespace parcast::report {

enum class ThreadRows : std::uint8_t { absent, present };

std::string prediction_json(Prediction const& prediction, std::string_view version, ThreadRows threads);

}  // namespace parcast::report
