#include "model/deterministic/allocation.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <variant>

#include "model/deterministic/bit_tree.h"

namespace parcast::model {

namespace {

// For each group: groups before it on the longest way from a group without predecessors.
std::vector<std::uint32_t> levels(TaskGraph const& graph) {
    std::vector<std::uint32_t> level(graph.groups());
    for (auto const group : topological_order(graph))
        for (auto const successor : graph.successors_of(group))
            level[successor.index()] = std::max(level[successor.index()], level[group.index()] + 1);
    return level;
}

// The groups, those of a level in ascending order.
std::vector<std::uint32_t> by_level(std::vector<std::uint32_t> const& level) {
    std::vector<std::uint32_t> next(std::ranges::max(level) + 2);
    for (auto const one : level)
        ++next[one + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> groups(level.size());
    for (std::uint32_t group = 0; group < level.size(); ++group)
        groups[next[level[group]]++] = group;
    return groups;
}

bool is_alone(TaskGraph const& graph, std::uint32_t group) {
    return graph.size_of(TaskGroupId(std::size_t{group})) == 1;
}

// Calls divide(first group of the loop, its tasks) for every loop. Tasks that stand alone are one loop if
// they agree in their level and in part(group).
template <class Part, class Divide>
void for_each_loop(TaskGraph const& graph, Part const& part, Divide const& divide) {
    auto const level = levels(graph);
    auto groups = by_level(level);
    auto const key = [&](std::uint32_t group) {
        bool const alone = is_alone(graph, group);
        return std::tuple(level[group], alone, alone ? std::uint32_t{part(group)} : group);
    };
    if (!std::ranges::is_sorted(groups, {}, key))
        std::ranges::stable_sort(groups, {}, key);
    std::vector<std::uint32_t> tasks;
    for (std::size_t place = 0; place < groups.size();) {
        auto const first = groups[place];
        tasks.clear();
        for (; place < groups.size() && key(groups[place]) == key(first); ++place)
            for (auto task = graph.first_task[groups[place]]; task < graph.first_task[groups[place] + 1];
                 ++task)
                tasks.push_back(task);
        divide(first, tasks);
    }
}

std::uint16_t no_parts(std::uint32_t /*group*/) {
    return 0;
}

// The processes that share a loop: `size` of them, `step` apart.
struct Subset {
    std::uint32_t first = 0;
    std::uint32_t step = 1;
    std::uint32_t size = 1;

    std::uint32_t process(std::size_t place) const {
        return first + step * static_cast<std::uint32_t>(place % size);
    }
};

Subset subset_of(std::uint16_t subset, std::uint32_t subsets, std::uint32_t processes) {
    if (subset == 0)
        return {0, 1, processes};
    auto const first = (subset - 1U) % std::min(subsets, processes);
    return {first, subsets, processes < subsets ? 1 : (processes - first + subsets - 1) / subsets};
}

}  // namespace

Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::StaticBlock /*policy*/) {
    Allocation allocation{std::vector<std::uint32_t>(graph.tasks())};
    for_each_loop(graph, no_parts, [&](std::uint32_t, std::vector<std::uint32_t> const& tasks) {
        auto const shorter = tasks.size() / processes;
        auto const longer = tasks.size() % processes;
        std::size_t place = 0;
        for (std::uint32_t process = 0; process < processes && place < tasks.size(); ++process) {
            auto const end = place + shorter + (process < longer ? 1 : 0);
            for (; place < end; ++place)
                allocation.process[tasks[place]] = process;
        }
    });
    return allocation;
}

Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::StaticCyclic /*policy*/) {
    Allocation allocation{std::vector<std::uint32_t>(graph.tasks())};
    for_each_loop(graph, no_parts, [&](std::uint32_t, std::vector<std::uint32_t> const& tasks) {
        for (std::size_t place = 0; place < tasks.size(); ++place)
            allocation.process[tasks[place]] = static_cast<std::uint32_t>(place % processes);
    });
    return allocation;
}

Allocation allocate(TaskGraph const& graph, std::uint32_t processes, ready::SplitLoops /*policy*/) {
    auto const subsets = std::max<std::uint32_t>(1, std::ranges::max(graph.subset));
    Allocation allocation{std::vector<std::uint32_t>(graph.tasks())};
    auto const part = [&](std::uint32_t group) { return graph.subset[group]; };
    for_each_loop(graph, part, [&](std::uint32_t first, std::vector<std::uint32_t> const& tasks) {
        auto const subset = subset_of(graph.subset[first], subsets, processes);
        for (std::size_t place = 0; place < tasks.size(); ++place)
            allocation.process[tasks[place]] = subset.process(place);
    });
    return allocation;
}

Result<Allocation> allocate(TaskGraph const& graph, std::uint32_t processes, ready::Explicit policy) {
    if (graph.process.empty() && graph.queue.empty()) {
        return fail(
            ErrorCode::inconsistent,
            "no task is pinned to a process and none has a queue: give them one, or take another schedule");
    }
    Allocation allocation{graph.process};
    if (graph.process.empty()) {
        allocation.process.resize(graph.tasks());
        for (std::size_t group = 0; group < graph.groups(); ++group)
            std::fill(allocation.process.begin() + graph.first_task[group],
                      allocation.process.begin() + graph.first_task[group + 1],
                      std::uint32_t{graph.queue[group]});
    }
    for (auto& process : allocation.process)
        if (process != any_process)
            process %= processes;
        else if (policy.start == ready::Start::in_order)
            return fail(ErrorCode::inconsistent,
                        "tasks of any process have no place in the order of one: take "
                        "the schedule 'pinned'");
    return allocation;
}

Result<Allocation> static_allocation(TaskGraph const& graph, std::uint32_t processes,
                                     ReadyPolicy const& policy) {
    if (auto const* block = std::get_if<ready::StaticBlock>(&policy))
        return allocate(graph, processes, *block);
    if (auto const* cyclic = std::get_if<ready::StaticCyclic>(&policy))
        return allocate(graph, processes, *cyclic);
    if (auto const* split = std::get_if<ready::SplitLoops>(&policy)) {
        if (graph.subset.empty())
            return fail(ErrorCode::inconsistent,
                        "no loop is for a subset of the processes: take the schedule 'cyclic', or give loops "
                        "a subset");
        return allocate(graph, processes, *split);
    }
    if (auto const* pinned = std::get_if<ready::Explicit>(&policy))
        return allocate(graph, processes, *pinned);
    return fail(ErrorCode::unsupported,
                "the schedule '" + name_of(policy) +
                    "' decides while the program runs who does what; those that do before "
                    "are block, cyclic, split and pinned");
}

std::vector<std::uint32_t> order_of_tasks(TaskGraph const& graph) {
    auto waiting_for = predecessor_groups(graph);
    BitTree ready(graph.groups());
    for (std::uint32_t group = 0; group < graph.groups(); ++group)
        if (waiting_for[group] == 0)
            ready.insert(group);
    std::vector<std::uint32_t> order;
    order.reserve(graph.tasks());
    while (!ready.is_empty()) {
        auto const group = ready.take_first();
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task)
            order.push_back(task);
        for (auto const successor : graph.successors_of(TaskGroupId(std::size_t{group})))
            if (--waiting_for[successor.index()] == 0)
                ready.insert(successor.value);
    }
    return order;
}

std::vector<double> priorities(TaskGraph const& graph, ready::Lpt policy) {
    bool const by_estimate = policy.by == ready::Lpt::By::estimate && !graph.estimate_ns.empty();
    return by_estimate ? graph.estimate_ns : graph.cpu_ns;
}

std::vector<double> ways_to_the_end(TaskGraph const& graph) {
    auto level = bottom_levels_ns(graph);
    if (graph.groups() == graph.tasks())
        return level;
    auto way = graph.cpu_ns;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        double after = 0;
        for (auto const successor : graph.successors_of(TaskGroupId(group)))
            after = std::max(after, level[successor.index()]);
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task)
            way[task] += after;
    }
    return way;
}

}  // namespace parcast::model
