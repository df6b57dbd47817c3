// `parcast predict --json`: docs/formats/predict.schema.json.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "report/prediction.h"

namespace parcast::report {

enum class ThreadRows : std::uint8_t { absent, present };

// Parts that `scale` shares.
nlohmann::ordered_json run_json(PredictedRun const& run, Prediction const& prediction, ThreadRows threads);
nlohmann::ordered_json machine_json(Prediction const& prediction);

nlohmann::ordered_json prediction_document(Prediction const& prediction, std::string_view version,
                                           ThreadRows threads);

std::string prediction_json(Prediction const& prediction, std::string_view version, ThreadRows threads);

}  // namespace parcast::report
