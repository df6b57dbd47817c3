// `parcast predict --json`: docs/formats/predict.schema.json.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"

namespace parcast::report {

enum class ThreadRows : std::uint8_t { absent, present };

// Parts that `scale` shares.
nlohmann::ordered_json run_json(Row const& run, Answer const& prediction, ThreadRows threads);
nlohmann::ordered_json machine_json(Answer const& prediction);

nlohmann::ordered_json prediction_document(Answer const& prediction, std::string_view version,
                                           ThreadRows threads);

std::string prediction_json(Answer const& prediction, std::string_view version, ThreadRows threads);

}  // namespace parcast::report
