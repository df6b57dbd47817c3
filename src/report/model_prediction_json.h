// The answer of `parcast predict MODEL --json`: docs/formats/predict-model.schema.json. In pieces, since a
// sweep may have millions of points: head, points, tail. A point a line.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/model_prediction.h"

namespace parcast::report {

std::string model_json_head(ModelPrediction const& prediction, std::string_view version);
std::string model_json_points(ModelPrediction const& prediction, std::size_t first, std::size_t end);
std::string model_json_tail();

}  // namespace parcast::report
