#include "model/deterministic/execution_parts.h"

#include <algorithm>
#include <optional>

#include "core/time.h"

namespace parcast::model {

namespace {

using Task = std::uint32_t;

Instant rounded(double ns) {
    return {whole_ns(ns)};
}

// The first among equal ones.
std::optional<Task> later(std::optional<Task> a, std::optional<Task> b,
                          std::span<ScheduledTask const> by_task) {
    if (!a || !b)
        return a ? a : b;
    return by_task[*b].finish_ns > by_task[*a].finish_ns ? b : a;
}

// For each group the task before it that ends last, if it waits for any.
std::vector<std::optional<Task>> last_predecessors(TaskGraph const& graph,
                                                   std::span<ScheduledTask const> by_task) {
    std::vector<std::optional<Task>> last(graph.groups());
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        std::optional<Task> last_of_group;
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task)
            last_of_group = later(last_of_group, task, by_task);
        for (auto const successor : graph.successors_of(TaskGroupId(group)))
            last[successor.index()] = later(last[successor.index()], last_of_group, by_task);
    }
    return last;
}

// For each task the one that its process ran before: it finished before, as a process runs one at a time.
std::vector<std::optional<Task>> before_on_process(std::span<ScheduledTask const> schedule) {
    std::vector<std::optional<Task>> before(schedule.size());
    std::vector<std::optional<Task>> last;  // by process
    for (auto const& scheduled : schedule) {
        if (scheduled.process >= last.size())
            last.resize(scheduled.process + 1);
        before[scheduled.task.index()] = last[scheduled.process];
        last[scheduled.process] = scheduled.task.value;
    }
    return before;
}

}  // namespace

std::vector<PathSegment> schedule_path(TaskGraph const& graph, std::span<ScheduledTask const> schedule,
                                       std::span<ScheduledTask const> by_task) {
    auto const predecessors = last_predecessors(graph, by_task);
    auto const on_process = before_on_process(schedule);
    auto const groups = group_of_each_task(graph);
    std::optional<Task> next;
    for (Task task = 0; task < by_task.size(); ++task)
        next = later(next, task, by_task);
    std::vector<PathSegment> path;
    while (next) {
        auto const task = *next;
        next = later(predecessors[groups[task].index()], on_process[task], by_task);
        auto const begin = next ? rounded(by_task[*next].finish_ns) : Instant{};
        auto const end = rounded(by_task[task].finish_ns);
        if (begin < end)
            path.push_back({ThreadId(std::size_t{task}), begin, end});
    }
    std::ranges::reverse(path);
    return path;
}

}  // namespace parcast::model
