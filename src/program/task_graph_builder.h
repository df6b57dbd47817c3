// Makes a task graph of groups and precedences that come in any order. A precedence that is said twice is
// said once. Cost: 8 bytes an edge on top of the graph, time linear.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/task_graph.h"

namespace parcast {

class TaskGraphBuilder {
public:
    TaskGroupId add_task(double cpu_ns);
    TaskGroupId add_group(std::span<double const> cpu_ns);  // REQUIRES: at least one

    // For the group that was added last or an earlier one. REQUIRES: a value for each of its tasks.
    void name(TaskGroupId group, std::string name);
    void estimate(TaskGroupId group, std::span<double const> estimate_ns);
    void pin(TaskGroupId group, std::span<std::uint32_t const> processes);
    void enqueue(TaskGroupId group, std::uint16_t queue);
    void give_to_subset(TaskGroupId group, std::uint16_t subset);
    void use(TaskGroupId group, std::string_view resource, double value);

    // REQUIRES: both were added.
    void precede(TaskGroupId before, TaskGroupId after) { edges_.emplace_back(before, after); }

    std::size_t groups() const { return graph_.groups(); }
    std::size_t tasks() const { return graph_.tasks(); }

    // Not checked: there may be a cycle.
    TaskGraph finish() &&;

private:
    void fill_columns();

    TaskGraph graph_;
    std::vector<std::pair<TaskGroupId, TaskGroupId>> edges_;
};

}  // namespace parcast
