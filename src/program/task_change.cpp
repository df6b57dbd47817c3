#include "program/task_change.h"

#include <string>
#include <utility>

namespace parcast {

namespace {

bool is_called(TaskGraph const& graph, TaskGroupId group, std::string const& name) {
    return name_of(graph, group) == name || describe(graph, group) == name;
}

tl::unexpected<Error> unknown(TaskGraph const& graph, std::string const& name) {
    std::vector<NamedWork> known;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        double work = 0;
        for (double const ns : graph.times_of(TaskGroupId(group)))
            work += ns;
        known.push_back({name_of(graph, TaskGroupId(group)), work});
    }
    return fail(make_error(ErrorCode::unasked, "the graph has no group \"" + name + "\"",
                           who_there_is(name, std::move(known), work_ns(graph))));
}

void scale(TaskGraph& graph, TaskGroupId group, double factor) {
    for (auto task = graph.first_task[group.index()]; task < graph.first_task[group.index() + 1]; ++task) {
        graph.cpu_ns[task] *= factor;
        if (!graph.estimate_ns.empty())
            graph.estimate_ns[task] *= factor;
    }
}

}  // namespace

Result<TaskGraph> changed(TaskGraph const& graph, Scenario const& scenario) {
    auto after = graph;
    for (WorkChange const& change : scenario.changes) {
        if (change.of != WorkChange::Of::group)
            return fail(make_error(ErrorCode::unasked,
                                   "\"" + scenario.text + "\" is for programs of " +
                                       (change.of >= WorkChange::Of::rank ? "messages" : "threads"),
                                   "In a task graph: group:NAME*0.5"));
        bool is_known = false;
        for (std::size_t group = 0; group < graph.groups(); ++group)
            if (is_called(graph, TaskGroupId(group), change.name)) {
                scale(after, TaskGroupId(group), change.factor);
                is_known = true;
            }
        if (!is_known)
            return unknown(graph, change.name);
    }
    return after;
}

TaskGraph with_work_scaled(TaskGraph graph, TaskGroupId group, double factor) {
    scale(graph, group, factor);
    return graph;
}

}  // namespace parcast
