// `parcast predict GRAPH --json`, as docs/formats/predict-taskgraph.schema.json describes.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"

namespace parcast::report {

nlohmann::ordered_json task_graph_document(Answer const& prediction, std::string_view version);

std::string task_graph_json(Answer const& prediction, std::string_view version);

}  // namespace parcast::report
