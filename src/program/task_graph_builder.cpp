#include "program/task_graph_builder.h"

#include <algorithm>
#include <numeric>

#include "core/ensure.h"

namespace parcast {

namespace {

using Edge = std::pair<TaskGroupId, TaskGroupId>;

// Where the edges of each group start, and their number at the end.
template <class KeyOf>
std::vector<std::uint32_t> starts_by(std::vector<Edge> const& edges, std::size_t groups, KeyOf key_of) {
    std::vector<std::uint32_t> starts(groups + 1);
    for (auto const& edge : edges)
        ++starts[key_of(edge).index() + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return starts;
}

// A stable counting sort.
template <class KeyOf>
std::vector<Edge> sorted_by(std::vector<Edge> const& edges, std::size_t groups, KeyOf key_of) {
    auto place = starts_by(edges, groups, key_of);
    std::vector<Edge> sorted(edges.size());
    for (auto const& edge : edges)
        sorted[place[key_of(edge).index()]++] = edge;
    return sorted;
}

TaskGroupId before(Edge const& edge) {
    return edge.first;
}

TaskGroupId after(Edge const& edge) {
    return edge.second;
}

// With the CPU times of the tasks that have no estimate.
void fill_up_to_now(std::vector<double>& estimates, std::vector<double> const& cpu_ns) {
    estimates.insert(estimates.end(), cpu_ns.begin() + static_cast<std::ptrdiff_t>(estimates.size()),
                     cpu_ns.end());
}

}  // namespace

TaskGroupId TaskGraphBuilder::add_task(double cpu_ns) {
    return add_group(std::span(&cpu_ns, 1));
}

TaskGroupId TaskGraphBuilder::add_group(std::span<double const> cpu_ns) {
    ensure(!cpu_ns.empty(), "a group has a task");
    TaskGroupId const group(graph_.groups());
    graph_.cpu_ns.insert(graph_.cpu_ns.end(), cpu_ns.begin(), cpu_ns.end());
    graph_.first_task.push_back(static_cast<std::uint32_t>(graph_.cpu_ns.size()));
    return group;
}

void TaskGraphBuilder::name(TaskGroupId group, std::string name) {
    graph_.group_names.resize(graph_.groups());
    graph_.group_names[group.index()] = std::move(name);
}

void TaskGraphBuilder::estimate(TaskGroupId group, std::span<double const> estimate_ns) {
    fill_up_to_now(graph_.estimate_ns, graph_.cpu_ns);
    ensure(estimate_ns.size() == graph_.size_of(group), "an estimate for each task");
    std::ranges::copy(estimate_ns, graph_.estimate_ns.begin() + graph_.first_task[group.index()]);
}

void TaskGraphBuilder::pin(TaskGroupId group, std::span<std::uint32_t const> processes) {
    graph_.process.resize(graph_.tasks(), any_process);
    ensure(processes.size() == graph_.size_of(group), "a process for each task");
    std::ranges::copy(processes, graph_.process.begin() + graph_.first_task[group.index()]);
}

void TaskGraphBuilder::enqueue(TaskGroupId group, std::uint16_t queue) {
    graph_.queue.resize(graph_.groups());
    graph_.queue[group.index()] = queue;
}

void TaskGraphBuilder::give_to_subset(TaskGroupId group, std::uint16_t subset) {
    graph_.subset.resize(graph_.groups());
    graph_.subset[group.index()] = subset;
}

void TaskGraphBuilder::use(TaskGroupId group, std::string_view resource, double value) {
    auto found = std::ranges::find(graph_.resources, resource, &ResourceUse::name);
    if (found == graph_.resources.end())
        found = graph_.resources.insert(found, {std::string(resource), {}});
    found->value.resize(graph_.groups());
    found->value[group.index()] = value;
}

void TaskGraphBuilder::fill_columns() {
    if (!graph_.group_names.empty())
        graph_.group_names.resize(graph_.groups());
    if (!graph_.estimate_ns.empty())
        fill_up_to_now(graph_.estimate_ns, graph_.cpu_ns);
    if (!graph_.process.empty())
        graph_.process.resize(graph_.tasks(), any_process);
    if (!graph_.queue.empty())
        graph_.queue.resize(graph_.groups());
    if (!graph_.subset.empty())
        graph_.subset.resize(graph_.groups());
    for (auto& resource : graph_.resources)
        resource.value.resize(graph_.groups());
}

TaskGraph TaskGraphBuilder::finish() && {
    auto const groups = graph_.groups();
    fill_columns();
    if (!std::is_sorted(edges_.begin(), edges_.end()))
        edges_ = sorted_by(sorted_by(edges_, groups, after), groups, before);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    graph_.first_successor = starts_by(edges_, groups, before);
    graph_.successors.resize(edges_.size());
    std::transform(edges_.begin(), edges_.end(), graph_.successors.begin(), after);
    return std::move(graph_);
}

}  // namespace parcast
