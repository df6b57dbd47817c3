// Which process runs each task, and in which order, for policies that decide that before the program runs.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "machine/ready_policy.h"
#include "program/task_graph.h"

namespace parcast::model {

struct Allocation {
    std::vector<std::uint32_t> process;  // by TaskId; or any_process
};

// REQUIRES: the graph passes its check, processes > 0; for ready::SplitLoops it has subsets.
// Errors: inconsistent (the graph says too little). Cost: time O(tasks + groups * log(groups)).
Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::StaticBlock policy);
Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::StaticCyclic policy);
Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::SplitLoops policy);
Result<Allocation> allocate(TaskGraph const& graph, std::uint32_t processes, ready::Explicit policy);

// By the policy, if it decides before the program runs which process runs each task: one of those above.
// Errors: unsupported (another policy), inconsistent.
Result<Allocation> static_allocation(TaskGraph const& graph, std::uint32_t processes,
                                     ReadyPolicy const& policy);

// All tasks so that each comes after what it waits for, otherwise as they are numbered as far as that is so.
std::vector<std::uint32_t> order_of_tasks(TaskGraph const& graph);

// For each task, what a policy takes the largest of first. Cost: linear.
std::vector<double> priorities(TaskGraph const& graph, ready::Lpt policy);
std::vector<double> ways_to_the_end(TaskGraph const& graph);  // its time and the longest way after it

}  // namespace parcast::model
