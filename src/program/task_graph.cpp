#include "program/task_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace parcast {

namespace {

// The ids are 32 bits wide, and the highest one means none.
constexpr std::size_t most_ids = std::numeric_limits<std::uint32_t>::max() - 1;

using Complaint = std::optional<std::string>;

Complaint check_sizes(TaskGraph const& graph) {
    if (graph.tasks() == 0)
        return "it has no task";
    if (graph.tasks() > most_ids || graph.successors.size() > most_ids)
        return "it has over 4 billion tasks or precedences";
    if (graph.first_task.empty() || graph.first_task.front() != 0 || graph.first_task.back() != graph.tasks())
        return "its groups are not the tasks";
    if (graph.first_successor.size() != graph.first_task.size() || graph.first_successor.front() != 0 ||
        graph.first_successor.back() != graph.successors.size())
        return "its successors are not by group";
    if (std::ranges::adjacent_find(graph.first_task, std::greater_equal()) != graph.first_task.end())
        return "a group has no task";
    if (!std::ranges::is_sorted(graph.first_successor))
        return "its successors are not in the order of the groups";
    return std::nullopt;
}

Complaint check_columns(TaskGraph const& graph) {
    auto const empty_or = [](auto const& column, std::size_t size) {
        return column.empty() || column.size() == size;
    };
    if (!empty_or(graph.process, graph.tasks()) || !empty_or(graph.estimate_ns, graph.tasks()))
        return "a column is not by task";
    if (!empty_or(graph.queue, graph.groups()) || !empty_or(graph.subset, graph.groups()) ||
        !empty_or(graph.group_names, graph.groups()))
        return "a column is not by group";
    for (auto const& resource : graph.resources)
        if (resource.value.size() != graph.groups())
            return "the resource parameter " + resource.name + " is not by group";
    return std::nullopt;
}

Complaint check_pinned(TaskGraph const& graph) {
    if (graph.process.empty())
        return std::nullopt;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        auto const tasks =
            std::span(graph.process).subspan(graph.first_task[group], graph.size_of(TaskGroupId(group)));
        auto const free = static_cast<std::size_t>(std::ranges::count(tasks, any_process));
        if (free != 0 && free != tasks.size())
            return "some tasks of " + describe(graph, TaskGroupId(group)) +
                   " are pinned to processes, others are not";
    }
    return std::nullopt;
}

bool is_amount(double value) {
    return std::isfinite(value) && value >= 0;
}

TaskGroupId group_of(TaskGraph const& graph, std::size_t task) {
    auto const after = std::ranges::upper_bound(graph.first_task, static_cast<std::uint32_t>(task));
    return TaskGroupId(static_cast<std::size_t>(after - graph.first_task.begin()) - 1);
}

Complaint check_values(TaskGraph const& graph) {
    auto const time = std::ranges::find_if_not(graph.cpu_ns, is_amount);
    auto const estimate = std::ranges::find_if_not(graph.estimate_ns, is_amount);
    if (time != graph.cpu_ns.end()) {
        auto const task = static_cast<std::size_t>(time - graph.cpu_ns.begin());
        return "the CPU time of " + describe(graph, group_of(graph, task)) + " is negative or not a number";
    }
    if (estimate != graph.estimate_ns.end()) {
        auto const task = static_cast<std::size_t>(estimate - graph.estimate_ns.begin());
        return "the estimate of " + describe(graph, group_of(graph, task)) + " is negative or not a number";
    }
    for (auto const& resource : graph.resources) {
        auto const value = std::ranges::find_if_not(resource.value, is_amount);
        if (value != resource.value.end()) {
            auto const group = TaskGroupId(static_cast<std::size_t>(value - resource.value.begin()));
            return resource.name + " of " + describe(graph, group) + " is negative or not a number";
        }
    }
    return std::nullopt;
}

Complaint check_edges(TaskGraph const& graph) {
    std::vector<TaskGroupId> last_seen(graph.groups(), TaskGroupId::none());
    for (std::size_t index = 0; index < graph.groups(); ++index) {
        TaskGroupId const group(index);
        for (auto const successor : graph.successors_of(group)) {
            if (successor.index() >= graph.groups())
                return "a successor of " + describe(graph, group) + " does not exist";
            if (successor == group)
                return describe(graph, group) + " waits for itself";
            if (last_seen[successor.index()] == group)
                return describe(graph, successor) + " is twice a successor of " + name_of(graph, group);
            last_seen[successor.index()] = group;
        }
    }
    return std::nullopt;
}

// Kahn's algorithm with a queue that the order itself is. Shorter than the groups if there is a cycle.
std::vector<TaskGroupId> order_as_far_as_possible(TaskGraph const& graph) {
    auto waiting_for = predecessor_groups(graph);
    std::vector<TaskGroupId> order;
    order.reserve(graph.groups());
    for (std::size_t group = 0; group < graph.groups(); ++group)
        if (waiting_for[group] == 0)
            order.push_back(TaskGroupId(group));
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (auto const successor : graph.successors_of(order[next]))
            if (--waiting_for[successor.index()] == 0)
                order.push_back(successor);
    }
    return order;
}

// "c -> d -> c". Long ones without their middle.
std::string path_text(TaskGraph const& graph, std::vector<TaskGroupId> const& path) {
    constexpr std::size_t shown_at_an_end = 5;
    std::string text;
    for (std::size_t position = 0; position < path.size(); ++position) {
        if (path.size() > 2 * shown_at_an_end + 1 && position == shown_at_an_end) {
            auto const hidden = path.size() - 2 * shown_at_an_end;
            text += "(" + std::to_string(hidden) + " more) -> ";
            position += hidden;
        }
        text += name_of(graph, path[position]) + (position + 1 < path.size() ? " -> " : "");
    }
    return text;
}

// What is not in the order waits for something that is not in it either: who follows these predecessors comes
// around.
std::vector<TaskGroupId> find_cycle(TaskGraph const& graph, std::vector<TaskGroupId> const& order) {
    std::vector<bool> is_ordered(graph.groups());
    for (auto const group : order)
        is_ordered[group.index()] = true;
    std::vector<TaskGroupId> predecessor(graph.groups(), TaskGroupId::none());
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        if (is_ordered[group])
            continue;
        for (auto const successor : graph.successors_of(TaskGroupId(group)))
            predecessor[successor.index()] = TaskGroupId(group);
    }
    auto group =
        TaskGroupId(static_cast<std::size_t>(std::ranges::find(is_ordered, false) - is_ordered.begin()));
    std::vector<bool> is_visited(graph.groups());
    while (!is_visited[group.index()]) {
        is_visited[group.index()] = true;
        group = predecessor[group.index()];
    }
    std::vector<TaskGroupId> cycle = {group};
    for (auto before = predecessor[group.index()]; before != group; before = predecessor[before.index()])
        cycle.push_back(before);
    std::ranges::reverse(cycle);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    cycle.push_back(cycle.front());
    return cycle;
}

Complaint check_cycles(TaskGraph const& graph) {
    auto const order = order_as_far_as_possible(graph);
    if (order.size() == graph.groups())
        return std::nullopt;
    auto const cycle = find_cycle(graph, order);
    auto const name = name_of(graph, cycle.front());
    return (graph.size_of(cycle.front()) == 1 ? "task " : "group ") + name +
           " waits for itself: " + path_text(graph, cycle);
}

// Every group comes before its successors: then no order has to be found. Successors are in ascending order.
bool is_numbered_in_order(TaskGraph const& graph) {
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        auto const successors = graph.successors_of(TaskGroupId(group));
        if (!successors.empty() && successors.front().index() <= group)
            return false;
    }
    return true;
}

double longest_of(TaskGraph const& graph, TaskGroupId group) {
    return std::ranges::max(graph.times_of(group));
}

}  // namespace

Result<void> check(TaskGraph const& graph) {
    for (auto const examine :
         {check_sizes, check_columns, check_pinned, check_values, check_edges, check_cycles}) {
        if (auto const complaint = examine(graph))
            return fail(ErrorCode::inconsistent, "task graph: " + *complaint);
    }
    return {};
}

std::optional<TaskGroupId> group_in_cycle(TaskGraph const& graph) {
    auto const order = order_as_far_as_possible(graph);
    return order.size() == graph.groups() ? std::nullopt : std::optional(find_cycle(graph, order).front());
}

std::string name_of(TaskGraph const& graph, TaskGroupId group) {
    if (!graph.group_names.empty() && !graph.group_names[group.index()].empty())
        return graph.group_names[group.index()];
    return std::to_string(graph.size_of(group) == 1 ? graph.first_task[group.index()] : group.value);
}

std::string describe(TaskGraph const& graph, TaskGroupId group) {
    auto const size = graph.size_of(group);
    auto const name = name_of(graph, group);
    if (size == 1)
        return "task " + name;
    auto const first = graph.first_task[group.index()];
    return "group " + name + " (tasks " + std::to_string(first) + " to " + std::to_string(first + size - 1) +
           ")";
}

std::vector<std::uint32_t> predecessor_groups(TaskGraph const& graph) {
    std::vector<std::uint32_t> count(graph.groups());
    for (auto const successor : graph.successors)
        ++count[successor.index()];
    return count;
}

std::vector<TaskGroupId> topological_order(TaskGraph const& graph) {
    return order_as_far_as_possible(graph);
}

std::vector<TaskGroupId> group_of_each_task(TaskGraph const& graph) {
    std::vector<TaskGroupId> groups(graph.tasks());
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        std::fill(groups.begin() + graph.first_task[group], groups.begin() + graph.first_task[group + 1],
                  TaskGroupId(group));
    }
    return groups;
}

double work_ns(TaskGraph const& graph) {
    return std::accumulate(graph.cpu_ns.begin(), graph.cpu_ns.end(), 0.0);
}

double span_ns(TaskGraph const& graph) {
    return std::ranges::max(bottom_levels_ns(graph));
}

std::vector<double> bottom_levels_ns(TaskGraph const& graph) {
    std::vector<double> level(graph.groups());
    auto const visit = [&](TaskGroupId group) {
        double after = 0;
        for (auto const successor : graph.successors_of(group))
            after = std::max(after, level[successor.index()]);
        level[group.index()] = longest_of(graph, group) + after;
    };
    if (is_numbered_in_order(graph)) {
        for (auto group = graph.groups(); group-- > 0;)
            visit(TaskGroupId(group));
        return level;
    }
    auto const order = topological_order(graph);
    std::for_each(order.rbegin(), order.rend(), visit);
    return level;
}

}  // namespace parcast
