#include "analysis/task_graph_causes.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <tuple>

namespace parcast::analysis {

namespace {

constexpr double most_units = 1e17;  // times the CPUs, still a whole number of 64 bits
constexpr double most_units_per_ns = 1e6;

// Powers of ten, so that decimal times stay whole.
double units_per_ns(TaskGraph const& graph) {
    double units = 1;
    while (units < most_units_per_ns && 10 * units * work_ns(graph) < most_units / 65536)
        units *= 10;
    return units;
}

struct Scheduled {
    enum class Phase : std::uint8_t { opens, begins, ends, is_done };

    std::int64_t when;
    std::uint32_t rank;  // of the group, in a topological order
    Phase phase;
    TaskGroupId group;
    std::uint32_t task = 0;

    friend bool operator<(Scheduled const& a, Scheduled const& b) {
        return std::tuple(a.when, a.rank, a.phase, a.task) < std::tuple(b.when, b.rank, b.phase, b.task);
    }
};

// When each group can begin and is done, with a processor for every task.
struct GroupTimes {
    std::vector<std::int64_t> opens;
    std::vector<std::int64_t> done;
};

std::int64_t units(double ns, double per_ns) {
    return std::llround(ns * per_ns);
}

}  // namespace

TaskGraphCauses causes_of(TaskGraph const& graph) {
    using Phase = Scheduled::Phase;
    TaskGraphCauses result{{}, std::vector<EventNumber>(graph.tasks(), 0), units_per_ns(graph)};
    double const per_ns = result.units_per_ns;
    GroupTimes times{std::vector<std::int64_t>(graph.groups(), 0), {}};
    times.done = times.opens;
    std::vector<Scheduled> events;
    std::vector<std::vector<TaskGroupId>> before(graph.groups());
    std::uint32_t rank = 0;
    std::int64_t completion = 0;
    for (auto const group : topological_order(graph)) {
        auto const opens = times.opens[group.index()];
        auto& done = times.done[group.index()] = opens;
        events.push_back({opens, rank, Phase::opens, group});
        for (auto task = graph.first_task[group.index()]; task < graph.first_task[group.index() + 1];
             ++task) {
            auto const end = opens + units(graph.cpu_ns[task], per_ns);
            events.push_back({opens, rank, Phase::begins, group, task});
            events.push_back({end, rank, Phase::ends, group, task});
            done = std::max(done, end);
        }
        events.push_back({done, rank++, Phase::is_done, group});
        completion = std::max(completion, done);
        for (auto const successor : graph.successors_of(group)) {
            times.opens[successor.index()] = std::max(times.opens[successor.index()], done);
            before[successor.index()].push_back(group);
        }
    }
    std::ranges::sort(events, [](Scheduled const& a, Scheduled const& b) { return a < b; });

    std::vector<EventNumber> opened(graph.groups(), 0);
    std::vector<EventNumber> done(graph.groups(), 0);
    std::vector<EventNumber> begun(graph.tasks(), 0);
    std::vector<EventNumber> causes;
    auto const add = [&](std::int64_t when, int running) {
        return result.causes.add(
            {.when = {when}, .thread = ThreadId::none(), .running = static_cast<std::int8_t>(running)},
            causes);
    };
    EventNumber const start = add(0, 0);
    for (auto const& event : events) {
        auto const group = event.group.index();
        causes.clear();
        switch (event.phase) {
            case Phase::opens:
                for (auto const earlier : before[group])
                    if (times.done[earlier.index()] == event.when)
                        causes.push_back(done[earlier.index()]);
                if (causes.empty())
                    causes.push_back(start);
                opened[group] = add(event.when, 0);
                break;
            case Phase::begins:
                causes.push_back(opened[group]);
                begun[event.task] = add(event.when, 1);
                break;
            case Phase::ends:
                causes.push_back(begun[event.task]);
                result.end_of[event.task] = add(event.when, -1);
                break;
            case Phase::is_done:
                for (auto task = graph.first_task[group]; task < graph.first_task[group + 1]; ++task)
                    if (result.causes.events()[result.end_of[task]].when.ns == event.when)
                        causes.push_back(result.end_of[task]);
                done[group] = add(event.when, 0);
                break;
        }
    }
    causes.clear();
    for (std::size_t group = 0; group < graph.groups(); ++group)
        if (times.done[group] == completion)
            causes.push_back(done[group]);
    std::ranges::sort(causes);
    add(completion, 0);
    return result;
}

}  // namespace parcast::analysis
