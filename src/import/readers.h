// Readers of foreign task graphs, a function each.

#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// A task graph in a Graphviz file: nodes are tasks, arrows are precedences, a subgraph in an arrow stands for
// its nodes. The time of a task is the first of its attributes time, runtime, duration, size, weight, and its
// label if that is a number; `process` pins it. SimGrid's nodes "root" and "end" need no time. Other
// attributes, ports and layout are read over; data that an arrow moves (its size) costs no time, which the
// assumptions say.
//
// Passes check(). `unit_ns`: what one unit of time is. Errors: malformed, not_found (a task's time),
// out_of_range, unsupported (a graph without directions), inconsistent; with line and column, but for a
// cycle, which is named.
Result<TaskGraph> task_graph_from_dot(std::string_view text, std::string_view file, double unit_ns = 1);

// A task graph in the form of the Standard Task Graph Set (Kasahara laboratory, Waseda University): the
// number of tasks, then a line a task: its number, its time, how many tasks it waits for, and which. Lines
// with '#' are comments. The first and the last task are dummies with time 0, which the number of tasks does
// not count; the older "prototype" form, whose first line also has a number of processors, has no dummy at
// the start. Their numbers tell them apart. The tasks keep their numbers as ids.
//
// Passes check(). `unit_ns`: what one unit of time is. Errors: malformed, truncated, not_found, out_of_range,
// inconsistent; with line and column, of a cycle those of a task.
Result<TaskGraph> task_graph_from_stg(std::string_view text, std::string_view file, double unit_ns = 1);

// A workflow of WfCommons (WfFormat 1.0 to 1.6) as a task graph: its tasks with their run times and
// precedences. Files and their transfer are not part of a task graph, and neither are the cores that a task
// uses; the assumptions name both.

// Passes check(). Errors: malformed, not_found (a parent or child, a task's run time), out_of_range,
// inconsistent; with line and column, but for a cycle, which is named.
Result<TaskGraph> task_graph_from_wfformat(std::string text, std::string_view file);

}  // namespace parcast
