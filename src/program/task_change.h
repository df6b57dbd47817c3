// Changes of a task graph, to see what they would bring:
//
//     group:NAME*0.5   the tasks of that name take half as long

#pragma once

#include "core/result.h"
#include "program/task_graph.h"
#include "program/work_change.h"

namespace parcast {

// The graph as it would be. Errors: unasked (a name that the graph does not have, with the nearest; a change
// of a program of threads).
Result<TaskGraph> changed(TaskGraph const& graph, Scenario const& scenario);

// The graph whose group takes `factor` times as long.
TaskGraph with_work_scaled(TaskGraph graph, TaskGroupId group, double factor);

}  // namespace parcast
