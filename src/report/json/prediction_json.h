// The answer of `parcast predict --json`, for every form of program: docs/formats/predict.schema.json.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"
#include "report/json/prediction_rows_json.h"

namespace parcast::report {

// Hands the text to `print` in pieces, as long as that returns true: the sweep of a model may have ten
// million points. A prediction per line.
void print_prediction_json(Answer const& answer, std::string_view version, ThreadRows threads,
                           std::function<bool(std::string const&)> const& print);

// The same as one document, for the page.
nlohmann::ordered_json prediction_document(Answer const& answer, std::string_view version);

// Parts that `scale` shares.
nlohmann::ordered_json machine_json(MachineBasis const& machine);
nlohmann::ordered_json predictions_json(Answer const& answer, ThreadRows threads);

}  // namespace parcast::report
