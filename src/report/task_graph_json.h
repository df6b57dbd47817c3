// `parcast predict GRAPH --json`, as docs/formats/predict-taskgraph.schema.json describes.

#pragma once

#include <string>
#include <string_view>

#include "report/task_graph_prediction.h"

namespace parcast::report {

std::string task_graph_json(TaskGraphPrediction const& prediction, std::string_view version);

}  // namespace parcast::report
