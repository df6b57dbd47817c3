// Where does a task graph go round in circles? For the readers of files, whose message names a line.

#pragma once

#include <optional>

#include "program/task_graph.h"

namespace parcast {

// The lowest group of a cycle, the one that check() names first; none: there is no cycle. REQUIRES: the graph
// keeps its other invariants. Cost: linear.
std::optional<TaskGroupId> group_in_cycle(TaskGraph const& graph);

}  // namespace parcast
