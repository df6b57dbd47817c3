#include "model/deterministic/execution_parts.h"

#include <algorithm>
#include <string>

#include "core/time.h"

namespace parcast::model {

namespace {

Instant rounded(double ns) {
    return {whole_ns(ns)};
}

// "roots 3": the third task of the group.
std::string name_of_task(TaskGraph const& graph, TaskGroupId group, std::uint32_t task) {
    auto const name = graph.group_names.empty() ? std::string() : graph.group_names[group.index()];
    if (name.empty())
        return "task " + std::to_string(task);
    if (graph.size_of(group) == 1)
        return name;
    return name + " " + std::to_string(task - graph.first_task[group.index()] + 1);
}

class Rows {
public:
    Rows(IntervalColumns& columns, std::size_t usual) : columns_(columns) {
        columns_.begin.reserve(usual);
        columns_.end.reserve(usual);
        columns_.thread.reserve(usual);
        columns_.cpu.reserve(usual);
        columns_.state.reserve(usual);
        columns_.object.reserve(usual);
        columns_.releaser.reserve(usual);
        columns_.site.reserve(usual);
    }

    void add(ThreadId thread, ThreadState state, CpuId cpu, Instant begin, Instant end) {
        if (end <= begin)
            return;
        columns_.begin.push_back(begin);
        columns_.end.push_back(end);
        columns_.thread.push_back(thread);
        columns_.cpu.push_back(cpu);
        columns_.state.push_back(state);
        columns_.object.push_back(ObjectId::none());
        columns_.releaser.push_back(ThreadId::none());
        columns_.site.push_back(SiteId::none());
    }

private:
    IntervalColumns& columns_;
};

}  // namespace

Timeline timeline_of(TaskGraph const& graph, GraphExecution const& execution) {
    std::vector<ScheduledTask> by_task(graph.tasks());
    for (auto const& task : execution.schedule)
        by_task[task.task.index()] = task;
    bool const are_own = has_own_processors(execution);

    Timeline timeline;
    timeline.origin = Origin::predicted;
    timeline.cpus = execution.run.accounts.cpus;
    timeline.length = execution.run.accounts.completion;
    timeline.catalogue.threads.resize(graph.tasks());
    timeline.arrivals.resize(graph.tasks());                     // tasks have no operations
    Rows rows(timeline.intervals.emplace(), 2 * graph.tasks());  // ready, running
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task) {
            auto const& scheduled = by_task[task];
            ThreadId const thread(std::size_t{task});
            timeline.catalogue.threads[task].name = name_of_task(graph, TaskGroupId(group), task);
            auto const start = rounded(scheduled.start_ns);
            auto const taken = are_own ? rounded(scheduled.taken_ns) : start;
            auto const cpu = are_own ? CpuId(std::size_t{scheduled.process}) : CpuId::none();
            rows.add(thread, ThreadState::ready, CpuId::none(), rounded(scheduled.ready_ns), taken);
            rows.add(thread, ThreadState::switching, cpu, taken, start);
            rows.add(thread, ThreadState::running, cpu, start, rounded(scheduled.finish_ns));
        }
    }
    timeline.critical_path = schedule_path(graph, execution.schedule, by_task);
    return timeline;
}

}  // namespace parcast::model
