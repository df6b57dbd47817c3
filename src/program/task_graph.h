// What must be done, as tasks with precedences (Adve 1993, chapter 4): the form of a program that is written
// down, generated, or drawn from a recording. Tasks with common predecessors, successors and resource use are
// one *group*: each of its tasks waits for all tasks of every group before it. So a loop of 20,000 tasks
// after another one is a single edge and not 4e8. A task that stands alone is a group of one.
//
// Invariants: (1) first_task rises strictly from 0 to the number of tasks;
// (2) first_successor rises from 0 to successors.size();
// (3) no cycle, no edge twice, ids in range;
// (4) times and resource parameters are finite and not negative; (5) an optional column is empty or whole;
// (6) all tasks of a group are pinned to processes, or none is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/id.h"
#include "core/result.h"

namespace parcast {

using TaskId = Id<struct TaskTag>;
using TaskGroupId = Id<struct TaskGroupTag>;

inline constexpr std::uint32_t any_process = std::numeric_limits<std::uint32_t>::max();

// A named parameter of how tasks use a resource, e.g. "bus.rate": requests per ns of CPU time.
struct ResourceUse {
    std::string name;
    std::vector<double> value;  // by group

    friend bool operator==(ResourceUse const&, ResourceUse const&) = default;
};

struct TaskGraph {
    std::string name;
    std::vector<double> cpu_ns;                        // by TaskId: CPU time without contention
    std::vector<std::uint32_t> first_task = {0};       // by group, and the number of tasks at the end
    std::vector<std::uint32_t> first_successor = {0};  // by group, and successors.size() at the end
    std::vector<TaskGroupId> successors;               // by group, in ascending order
    std::vector<std::uint32_t> process;                // by TaskId: what it is pinned to, or any_process
    std::vector<double> estimate_ns;                   // by TaskId: what a scheduler believes; empty: cpu_ns
    std::vector<std::uint16_t> queue;                  // by group: which of several queues; empty: 0
    std::vector<std::uint16_t> subset;  // by group: of the processes, that run its loop; 0, or empty: all
    std::vector<ResourceUse> resources;
    std::vector<std::string> group_names;
    std::vector<std::string> assumptions;  // how it was made, in sentences for the user
    std::optional<std::uint32_t> cpus;  // that its formulas were evaluated for; none: it is the same for all

    std::size_t tasks() const { return cpu_ns.size(); }
    std::size_t groups() const { return first_task.size() - 1; }

    std::span<double const> times_of(TaskGroupId group) const {
        return std::span(cpu_ns).subspan(first_task[group.index()], size_of(group));
    }
    std::size_t size_of(TaskGroupId group) const {
        return first_task[group.index() + 1] - first_task[group.index()];
    }
    std::span<TaskGroupId const> successors_of(TaskGroupId group) const {
        auto const first = first_successor[group.index()];
        return std::span(successors).subspan(first, first_successor[group.index() + 1] - first);
    }

    friend bool operator==(TaskGraph const&, TaskGraph const&) = default;
};

// Says which invariant does not hold, and names the tasks of a cycle: "task c waits for itself: c -> d -> c".
// Cost: time and memory linear in groups and edges.
Result<void> check(TaskGraph const& graph);

// As it is written, or the number of its only task, or its own.
std::string name_of(TaskGraph const& graph, TaskGroupId group);
// "move", "task 3" or "group 3 (tasks 20 to 39)".
std::string describe(TaskGraph const& graph, TaskGroupId group);

// For all that follows. REQUIRES: the graph passes its check. Cost: linear.

std::vector<std::uint32_t> predecessor_groups(TaskGraph const& graph);  // how many, by group
std::vector<TaskGroupId> topological_order(TaskGraph const& graph);     // of those that are ready the first
std::vector<TaskGroupId> group_of_each_task(TaskGraph const& graph);
double work_ns(TaskGraph const& graph);  // of all tasks
double span_ns(TaskGraph const& graph);  // of the critical path

// By group: the CPU time of the longest path from the start of its longest task to the end of the graph.
std::vector<double> bottom_levels_ns(TaskGraph const& graph);

// What a scheduler believes the task takes.
inline double estimate_ns(TaskGraph const& graph, TaskId task) {
    return graph.estimate_ns.empty() ? graph.cpu_ns[task.index()] : graph.estimate_ns[task.index()];
}

// The lowest group of a cycle, the one that check() names first; none: there is no cycle. REQUIRES: the graph
// keeps its other invariants. Cost: linear.
std::optional<TaskGroupId> group_in_cycle(TaskGraph const& graph);

}  // namespace parcast
