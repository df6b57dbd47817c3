// A task graph as a model in the PAMELA language, for extract.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "extract/model/recorded_model.h"
#include "program/task_graph.h"

namespace parcast::forecast {

// What the formula of a model gives with its parameters as recorded.
struct FormulaTime {
    double mean_ns = 0;
    std::string bound_by;  // a resource; empty: by the critical path
};

struct ExtractedModel {
    extract::RecordedModel model;
    bool is_series_parallel = true;  // or only the closest structure is
    double span_ns = 0;              // of the structure
    std::optional<FormulaTime> formula;
};

// `file` is where the graph is from. `cpus`: as a resource; none: any number. Errors: the graph is not
// series-parallel, and not its closest structure is asked for.
Result<ExtractedModel> model_of_graph(TaskGraph const& graph, std::string const& file, bool closest,
                                      std::optional<std::uint32_t> cpus = std::nullopt);

// Those of the graph, but for that of locks: they are resources.
std::vector<std::string> assumptions_of_model(TaskGraph const& graph);

// "the formula gives 91.2 ms at the recorded parameters, the recording's critical path is 85.1 ms (+7.2 %)"
std::string formula_sentence(FormulaTime const& formula, double graph_ns);

// "7.2 %": how much longer than the graph's the critical path of a structure is.
std::string percent_longer(double span_ns, double graph_ns);

}  // namespace parcast::forecast
