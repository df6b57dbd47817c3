// The condensed task graph of a static schedule (Adve 1993, section 2.1): a task is what one process does
// between two synchronisations. With as many processors the deterministic model gives it the time of the
// original under that schedule (section 4.2.2), and it has far fewer tasks; theories that see neither
// processors nor order take it where more tasks than processors are ready.
//
// Consecutive tasks of a process are one if the later one waits for no other process that the first does not
// wait for, and every other process that waits for the earlier one waits for the later one too. So nobody
// starts earlier or later. What a process does in turn without a precedence between gets one.

#pragma once

#include <cstdint>
#include <span>

#include "program/task_graph.h"

namespace parcast {

// Who runs each task, and in which order. Both lent.
struct StaticSchedule {
    std::span<std::uint32_t const> process;  // by TaskId; tasks of any_process stay as they are
    std::span<std::uint32_t const> order;    // all tasks, each after what it waits for
};

// Each task is pinned to its process; of processes that do parts of the same groups between the same
// synchronisations it is one group. Rates of resources are the mean by CPU time, other parameters of them
// (lock.hold_ns) the mean by visits. Queues are left out.
// REQUIRES: the graph passes its check. Cost: time O((tasks + edges) * log), and 256 groups looked at for
// each two tasks of a process between which no precedence is found.
TaskGraph condensed(TaskGraph const& graph, StaticSchedule const& schedule);

}  // namespace parcast
