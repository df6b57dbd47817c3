// The answer of `parcast predict MODEL --json`: docs/formats/predict-model.schema.json. In pieces, since a
// sweep may have millions of points: head, points, tail. A point a line.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "answer/answer.h"

namespace parcast::report {

std::string model_json_head(Answer const& prediction, std::string_view version);
std::string model_json_points(Answer const& prediction, std::size_t first, std::size_t end);
std::string model_json_tail();

}  // namespace parcast::report
