// The execution of a task graph as a timeline: a thread a task, which is ready from when the last task that
// it waits for is done until a process takes it, then on that process while this pays for taking it, and then
// runs. So whatever shows what a recorded program would do shows what a task graph would do.

#pragma once

#include "model/deterministic/deterministic.h"
#include "program/task_graph.h"
#include "timeline/timeline.h"

namespace parcast::model {

// Instants are rounded to whole ns; tasks that take less have no interval. What a process pays to fetch a
// task is overhead, as that of a switch (ThreadState::switching). Under processor sharing no task has a
// processor of its own, and a fetch is a part of the time in which the task is ready. REQUIRES: the schedule
// of `execution` was kept, its accounts are filled in, and it is one of `graph`.
Timeline timeline_of(TaskGraph const& graph, GraphExecution const& execution);

}  // namespace parcast::model
