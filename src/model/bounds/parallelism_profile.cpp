#include "model/bounds/parallelism_profile.h"

#include <algorithm>
#include <map>
#include <utility>

namespace parcast::model {

namespace {

constexpr double rounding = 1e-12;  // of the span

// By group, without any wait for a processor.
std::vector<double> earliest_starts(TaskGraph const& graph) {
    std::vector<double> starts(graph.groups(), 0);
    for (TaskGroupId const group : topological_order(graph)) {
        auto const times = graph.times_of(group);
        double const end = starts[group.index()] + *std::ranges::max_element(times);
        for (TaskGroupId const next : graph.successors_of(group))
            starts[next.index()] = std::max(starts[next.index()], end);
    }
    return starts;
}

// Tasks that begin (positive) or end at an instant.
using Change = std::pair<double, std::int64_t>;

std::vector<Change> changes_of(TaskGraph const& graph) {
    auto const starts = earliest_starts(graph);
    std::vector<Change> changes;
    changes.reserve(graph.tasks() + graph.groups());
    for (std::size_t i = 0; i < graph.groups(); ++i) {
        TaskGroupId const group(i);
        changes.emplace_back(starts[i], static_cast<std::int64_t>(graph.size_of(group)));
        for (double const time : graph.times_of(group))
            changes.emplace_back(starts[i] + time, -1);
    }
    std::ranges::sort(changes);
    return changes;
}

}  // namespace

ParallelismProfile profile_of(TaskGraph const& graph) {
    ParallelismProfile profile;
    profile.work_ns = work_ns(graph);
    std::map<std::uint32_t, double> time_at;
    double now = 0;
    std::int64_t running = 0;
    for (auto const& [instant, change] : changes_of(graph)) {
        if (instant > now && running > 0)
            time_at[static_cast<std::uint32_t>(running)] += instant - now;
        now = instant;
        running += change;
    }
    profile.span_ns = now;
    for (auto const& [tasks, time] : time_at)
        if (time > rounding * profile.span_ns)
            profile.levels.push_back({tasks, time});
    return profile;
}

}  // namespace parcast::model
