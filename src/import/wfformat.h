// A workflow of WfCommons (WfFormat 1.0 to 1.6) as a task graph: its tasks with their run times and
// precedences. Files and their transfer are not part of a task graph, and neither are the cores that a task
// uses; both are said in the assumptions.

#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// Passes check(). Errors: malformed, not_found (a parent or child, a task's run time), out_of_range,
// inconsistent; with line and column, but for a cycle, which is named.
Result<TaskGraph> task_graph_from_wfformat(std::string text, std::string_view file);

}  // namespace parcast
