// A task graph in parcast's own JSON (docs/formats/taskgraph.md): groups of tasks with times that are
// numbers, lists or formulas of named parameters.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"
#include "symbolic/parameters.h"

namespace parcast {

struct TaskGraphJsonOptions {
    symbolic::Parameters given;            // values that win over those in the file
    std::size_t most_tasks = 100'000'000;  // what a count, which a formula may give, is held to
};

// Passes check(). Errors: malformed, unsupported (version), not_found (a group, a parameter), out_of_range,
// inconsistent; each with line and column, a cycle with the names of its groups and, of a text up to 64 MiB,
// the place of one. Cost: linear; on top of the
// graph the text and twice its size.
Result<TaskGraph> task_graph_from_json(std::string text, std::string_view file,
                                       TaskGraphJsonOptions const& options = {});

// What reads back as the same graph. Times in ns.
std::string to_json(TaskGraph const& graph);

}  // namespace parcast
