#include "model/comparators/phases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>

namespace parcast::model {

namespace {

// By group: the number of groups before it on the longest way.
std::vector<std::uint32_t> levels_of(TaskGraph const& graph) {
    std::vector<std::uint32_t> levels(graph.groups(), 0);
    for (TaskGroupId const group : topological_order(graph))
        for (TaskGroupId const next : graph.successors_of(group))
            levels[next.index()] = std::max(levels[next.index()], levels[group.index()] + 1);
    return levels;
}

// The first group of `phase` that does not wait for `before`. REQUIRES: there is one.
TaskGroupId not_awaiting(TaskGraph const& graph, TaskGroupId before, Phase const& phase) {
    auto const successors = graph.successors_of(before);
    return *std::ranges::find_if(
        phase.groups, [&](TaskGroupId group) { return !std::ranges::binary_search(successors, group); });
}

using Running = std::vector<RunningClass>;

// `most` tasks, of the classes of a phase in proportion, at least one of each as far as there are so many.
Running running_in(std::map<std::uint32_t, std::size_t> const& tasks_by_class, std::size_t tasks,
                   std::size_t most) {
    Running running;
    std::size_t seen = 0;
    std::size_t taken = 0;
    for (auto const& [klass, count] : tasks_by_class) {
        seen += count;
        std::size_t const until = (seen * most + tasks - 1) / tasks;
        running.push_back({klass, static_cast<std::uint32_t>(std::max<std::size_t>(1, until - taken))});
        taken = until;
    }
    return running;
}

Result<std::map<std::uint32_t, double>> delays_in(TaskGraph const& graph, Phase const& phase,
                                                  std::uint32_t processors, ContentionLaw const& contention) {
    auto const class_of = [&](TaskGroupId group) {
        return contention.class_of_group.empty() ? 0 : contention.class_of_group[group.index()];
    };
    std::map<std::uint32_t, std::size_t> tasks_by_class;
    for (TaskGroupId const group : phase.groups)
        tasks_by_class[class_of(group)] += graph.size_of(group);
    Running const running =
        running_in(tasks_by_class, phase.tasks, std::min<std::size_t>(processors, phase.tasks));
    std::vector<double> delays(running.size());
    if (auto solved = contention.solve(running, delays); !solved)
        return pass_on(solved);
    std::map<std::uint32_t, double> by_class;
    for (std::size_t i = 0; i < running.size(); ++i)
        by_class[running[i].klass] = delays[i];
    return by_class;
}

}  // namespace

Result<std::vector<Phase>> phases_of(TaskGraph const& graph) {
    auto const levels = levels_of(graph);
    std::vector<Phase> phases;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i] >= phases.size())
            phases.resize(levels[i] + 1);
        phases[levels[i]].groups.emplace_back(i);
        phases[levels[i]].tasks += graph.size_of(TaskGroupId(i));
    }
    for (std::size_t level = 0; level + 1 < phases.size(); ++level) {
        for (TaskGroupId const group : phases[level].groups) {
            auto const next = std::ranges::count_if(graph.successors_of(group), [&](TaskGroupId successor) {
                return levels[successor.index()] == level + 1;
            });
            if (static_cast<std::size_t>(next) != phases[level + 1].groups.size()) {
                auto const other = not_awaiting(graph, group, phases[level + 1]);
                return fail(ErrorCode::unsupported,
                            "not a sequence of parallel phases: " + describe(graph, other) +
                                " does not wait for " + describe(graph, group));
            }
        }
    }
    return phases;
}

Result<std::vector<double>> contended_times(TaskGraph const& graph, std::uint32_t processors,
                                            ContentionLaw const* contention) {
    std::vector<double> times = graph.cpu_ns;
    if (contention == nullptr)
        return times;
    auto phases = phases_of(graph);
    if (!phases)
        return pass_on(phases);
    for (Phase const& phase : *phases) {
        auto delays = delays_in(graph, phase, processors, *contention);
        if (!delays)
            return pass_on(delays);
        for (TaskGroupId const group : phase.groups) {
            auto const klass =
                contention->class_of_group.empty() ? 0 : contention->class_of_group[group.index()];
            for (std::size_t task = graph.first_task[group.index()];
                 task < graph.first_task[group.index() + 1]; ++task) {
                times[task] *= 1 + (*delays)[klass];
            }
        }
    }
    return times;
}

}  // namespace parcast::model
