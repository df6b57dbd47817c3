// A task graph in parcast's own JSON (docs/formats/taskgraph.md): groups of tasks with times that are
// numbers, lists or formulas of named parameters.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"
#include "symbolic/parameters.h"

namespace parcast {

inline constexpr std::size_t usual_most_kept_bytes = std::size_t{64} << 20;

struct TaskGraphJsonOptions {
    symbolic::Parameters given = {};       // values that win over those in the file
    std::uint32_t cpus = 1;                // what P is in formulas, where no parameter has that name
    std::size_t most_tasks = 100'000'000;  // what a count, which a formula may give, is held to
    // Larger texts are freed before the graph is made, and then a cycle has no line.
    std::size_t most_kept_bytes = usual_most_kept_bytes;
};

// Passes check(). Errors: malformed, unsupported (version), not_found (a group, a parameter), out_of_range,
// inconsistent; each with line and column, a cycle with the names of its groups and, of a text up to
// most_kept_bytes, the place of one. Cost: linear; on top of the
// graph the text and twice its size.
Result<TaskGraph> task_graph_from_json(std::string text, std::string_view file,
                                       TaskGraphJsonOptions const& options = {});

// What reads back as the same graph. Times in ns.
std::string to_json(TaskGraph const& graph);

}  // namespace parcast
