// Why does a schedule take as long as it does? The chain of tasks that ends with the last one: each could not
// start before the one before it was done, because it waits for it, or because it had its process.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/deterministic/deterministic.h"
#include "program/task_graph.h"
#include "timeline/path_segment.h"

namespace parcast::model {

// Thread ids are those of the tasks, instants are rounded to whole ns. Where something else than these two
// kept a task waiting (a fetch, a process that keeps to the order of its tasks), the time counts for that
// task. REQUIRES: both have every task of the graph, `schedule` in the order in which tasks finish, by_task
// by id. Cost: linear in tasks and edges.
std::vector<PathSegment> schedule_path(TaskGraph const& graph, std::span<ScheduledTask const> schedule,
                                       std::span<ScheduledTask const> by_task);

}  // namespace parcast::model
