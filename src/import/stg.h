// A task graph in the form of the Standard Task Graph Set (Kasahara laboratory, Waseda University): the
// number of tasks, then a line a task: its number, its time, how many tasks it waits for, and which. Lines
// with '#' are comments. The first and the last task are dummies with time 0, which the number of tasks does
// not count; the older "prototype" form, whose first line also has a number of processors, has no dummy at
// the start. Both are told apart by their numbers. The tasks keep their numbers as ids.

#pragma once

#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// Passes check(). `unit_ns`: what one unit of time is. Errors: malformed, truncated, not_found, out_of_range,
// inconsistent; with line and column, of a cycle those of a task.
Result<TaskGraph> task_graph_from_stg(std::string_view text, std::string_view file, double unit_ns = 1);

}  // namespace parcast
