// The policies under which a task graph can be executed to see a difference.

#pragma once

#include <string_view>
#include <vector>

#include "machine/ready_policy.h"
#include "program/task_graph.h"

namespace parcast::model {

// Those that the graph says enough for to differ: the pinned one only if tasks are pinned, and so on. Not
// those that keep the order of a process's tasks.
std::vector<ReadyPolicy> policies_for(TaskGraph const& graph);

// The others, and what the graph does not say: "no task has a process".
struct PolicyLeftOut {
    ReadyPolicy policy;
    std::string_view reason;
};
std::vector<PolicyLeftOut> policies_left_out(TaskGraph const& graph);

}  // namespace parcast::model
