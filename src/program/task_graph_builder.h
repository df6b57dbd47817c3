// Makes a task graph of groups and precedences that come in any order. A precedence that is said twice is
// said once. Cost: 8 bytes an edge on top of the graph, time linear.

#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "program/task_graph.h"

namespace parcast {

class TaskGraphBuilder {
public:
    TaskGroupId add_task(double cpu_ns);
    TaskGroupId add_group(std::span<double const> cpu_ns);  // REQUIRES: at least one
    void name(TaskGroupId group, std::string name);

    // REQUIRES: both were added.
    void precede(TaskGroupId before, TaskGroupId after) { edges_.emplace_back(before, after); }

    std::size_t groups() const { return graph_.groups(); }

    // Not checked: there may be a cycle.
    TaskGraph finish() &&;

private:
    TaskGraph graph_;
    std::vector<std::pair<TaskGroupId, TaskGroupId>> edges_;
};

}  // namespace parcast
