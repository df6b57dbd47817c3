// What an execution of a task graph is besides its times: accounts, path, timeline.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/deterministic/deterministic.h"
#include "program/task_graph.h"
#include "timeline/path_segment.h"
#include "timeline/timeline.h"

namespace parcast::model {

// The accounts of an executed task graph in whole ns: those of the processors, and of each task if the
// schedule was kept.

// Whether each task of a kept schedule has a processor of its own while it runs: not under processor sharing
// with more processes than processors.
bool has_own_processors(GraphExecution const& execution);

// Conserved: what rounding leaves is with the processors that found no task. Latency and contention are work
// that was slowed. A task that takes less than a ns has an account of zeros.
// REQUIRES: execution.run.accounts has its processors, and idle.ready as it was counted.
void fill_accounts(TaskGraph const& graph, GraphExecution& execution);

// Why does a schedule take as long as it does? The chain of tasks that ends with the last one: each could not
// start before the one before it was done, because it waits for it, or because it had its process.
//
// Thread ids are those of the tasks, instants are rounded to whole ns. Where something else than these two
// kept a task waiting (a fetch, a process that keeps to the order of its tasks), the time counts for that
// task. REQUIRES: both have every task of the graph, `schedule` in the order in which tasks finish, by_task
// by id. Cost: linear in tasks and edges.
std::vector<PathSegment> schedule_path(TaskGraph const& graph, std::span<ScheduledTask const> schedule,
                                       std::span<ScheduledTask const> by_task);

// The execution of a task graph as a timeline: a thread a task, which is ready from when the last task that
// it waits for is done until a process takes it, then on that process while this pays for taking it, and then
// runs. So whatever shows what a recorded program would do shows what a task graph would do.

// Instants are rounded to whole ns; tasks that take less have no interval. What a process pays to fetch a
// task is overhead, as that of a switch (ThreadState::switching). Under processor sharing no task has a
// processor of its own, and a fetch is a part of the time in which the task is ready. REQUIRES: the schedule
// of `execution` was kept, its accounts are filled in, and it is one of `graph`.
Timeline timeline_of(TaskGraph const& graph, GraphExecution const& execution);

}  // namespace parcast::model
