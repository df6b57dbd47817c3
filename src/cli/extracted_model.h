// A task graph as a model in the PAMELA language, for extract.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include "core/result.h"
#include "pamela/recorded_model.h"
#include "program/task_graph.h"

namespace parcast::cli {

// What the formula of a model gives with its parameters as recorded.
struct FormulaTime {
    double mean_ns = 0;
    std::string bound_by;  // a resource; empty: by the critical path
};

struct ExtractedModel {
    pamela::RecordedModel model;
    bool is_series_parallel = true;  // or only the closest structure is
    double span_ns = 0;              // of the structure
    std::optional<FormulaTime> formula;
};

bool is_model_file(std::string_view path);

// `file` is where the graph is from. Errors: the graph is not series-parallel, and not its closest structure
// is asked for.
Result<ExtractedModel> model_of_graph(TaskGraph const& graph, std::string const& file, bool closest);

// Those of the graph, but for that of locks: they are resources.
std::vector<std::string> assumptions_of_model(TaskGraph const& graph);

nlohmann::ordered_json json_of(ExtractedModel const& model);

// What was written, how far the structure and the formula are from the graph, and the next command.
void say_written(ExtractedModel const& model, TaskGraph const& graph, std::string const& path,
                 std::size_t bytes);

}  // namespace parcast::cli
