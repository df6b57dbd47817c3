#include "model/deterministic/timeline_of.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/deterministic/schedule_path.h"

namespace parcast::model {

namespace {

Instant rounded(double ns) {
    return {static_cast<std::int64_t>(std::llround(ns))};
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

// Of each group: when all that it waits for is done.
std::vector<double> ready_times(TaskGraph const& graph, std::vector<ScheduledTask> const& by_task) {
    std::vector<double> ready(graph.groups());
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        double done = 0;
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task)
            done = std::max(done, by_task[task].finish_ns);
        for (auto const successor : graph.successors_of(TaskGroupId(group)))
            ready[successor.index()] = std::max(ready[successor.index()], done);
    }
    return ready;
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

Timeline timeline_of(TaskGraph const& graph, Execution const& execution) {
    std::vector<ScheduledTask> by_task(graph.tasks());
    for (auto const& task : execution.schedule)
        by_task[task.task.index()] = task;
    auto const ready = ready_times(graph, by_task);
    bool const has_own_processors = std::ranges::all_of(
        by_task, [&](ScheduledTask const& task) { return task.process < execution.processors; });

    Timeline timeline;
    timeline.origin = Origin::predicted;
    timeline.cpus = execution.processors;
    timeline.length = rounded(execution.time_ns) - Instant{};
    timeline.catalogue.threads.resize(graph.tasks());
    Rows rows(timeline.intervals.emplace(), 2 * graph.tasks());  // ready, running
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task) {
            auto const& scheduled = by_task[task];
            ThreadId const thread(std::size_t{task});
            timeline.catalogue.threads[task].name = name_of_task(graph, TaskGroupId(group), task);
            auto const start = rounded(scheduled.start_ns);
            auto const taken = has_own_processors ? rounded(scheduled.taken_ns) : start;
            auto const cpu = has_own_processors ? CpuId(std::size_t{scheduled.process}) : CpuId::none();
            rows.add(thread, ThreadState::ready, CpuId::none(), rounded(ready[group]), taken);
            rows.add(thread, ThreadState::switching, cpu, taken, start);
            rows.add(thread, ThreadState::running, cpu, start, rounded(scheduled.finish_ns));
        }
    }
    timeline.critical_path = schedule_path(graph, execution.schedule, by_task);
    return timeline;
}

}  // namespace parcast::model
