// A task graph in a Graphviz file: nodes are tasks, arrows are precedences, a subgraph in an arrow stands for
// its nodes. The time of a task is the first of its attributes time, runtime, duration, size, weight, and its
// label if that is a number; `process` pins it. SimGrid's nodes "root" and "end" need no time. Other
// attributes, ports and layout are read over; data that an arrow moves (its size) costs no time, which the
// assumptions say.

#pragma once

#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// Passes check(). `unit_ns`: what one unit of time is. Errors: malformed, not_found (a task's time),
// out_of_range, unsupported (a graph without directions), inconsistent; with line and column, but for a
// cycle, which is named.
Result<TaskGraph> task_graph_from_dot(std::string_view text, std::string_view file, double unit_ns = 1);

}  // namespace parcast
