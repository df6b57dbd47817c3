#include "analysis/task_graph_causes.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

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

std::int64_t units(double ns, double per_ns) {
    return std::llround(ns * per_ns);
}

// Lays the run out in time, then logs its events in that order.
class RunOfGraph {
public:
    explicit RunOfGraph(TaskGraph const& graph)
        : graph_(graph), opens_(graph.groups(), 0), done_(graph.groups(), 0), before_(graph.groups()) {
        result_.end_of.resize(graph.tasks(), 0);
        result_.units_per_ns = units_per_ns(graph);
        lay_out();
    }

    TaskGraphCauses log() && {
        std::ranges::sort(events_, [](Scheduled const& a, Scheduled const& b) { return a < b; });
        std::vector<EventNumber> opened(graph_.groups(), 0);
        std::vector<EventNumber> done(graph_.groups(), 0);
        std::vector<EventNumber> begun(graph_.tasks(), 0);
        EventNumber const start = add(0, 0, {});
        for (auto const& event : events_) {
            auto const group = event.group.index();
            switch (event.phase) {
                case Scheduled::Phase::opens:
                    opened[group] = add(event.when, 0, last_done_before(event, done, start));
                    break;
                case Scheduled::Phase::begins: begun[event.task] = add(event.when, 1, {opened[group]}); break;
                case Scheduled::Phase::ends:
                    result_.end_of[event.task] = add(event.when, -1, {begun[event.task]});
                    break;
                case Scheduled::Phase::is_done: done[group] = add(event.when, 0, last_ends_of(event)); break;
            }
        }
        complete(done);
        return std::move(result_);
    }

private:
    using Causes = std::vector<EventNumber>;

    // When each group can begin and is done, with a processor for every task.
    void lay_out() {
        std::uint32_t rank = 0;
        for (auto const group : topological_order(graph_)) {
            lay_out(group, rank++);
            for (auto const successor : graph_.successors_of(group)) {
                auto& opens = opens_[successor.index()];
                opens = std::max(opens, done_[group.index()]);
                before_[successor.index()].push_back(group);
            }
        }
    }

    void lay_out(TaskGroupId group, std::uint32_t rank) {
        using Phase = Scheduled::Phase;
        auto const opens = opens_[group.index()];
        auto& done = done_[group.index()] = opens;
        events_.push_back({opens, rank, Phase::opens, group});
        for (auto task = graph_.first_task[group.index()]; task < graph_.first_task[group.index() + 1];
             ++task) {
            auto const end = opens + units(graph_.cpu_ns[task], result_.units_per_ns);
            events_.push_back({opens, rank, Phase::begins, group, task});
            events_.push_back({end, rank, Phase::ends, group, task});
            done = std::max(done, end);
        }
        events_.push_back({done, rank, Phase::is_done, group});
    }

    EventNumber add(std::int64_t when, std::int8_t running, Causes const& causes) {
        return result_.causes.add({.when = {when}, .thread = ThreadId::none(), .running = running}, causes);
    }

    Causes last_done_before(Scheduled const& opening, Causes const& done, EventNumber start) const {
        Causes causes;
        for (auto const earlier : before_[opening.group.index()])
            if (done_[earlier.index()] == opening.when)
                causes.push_back(done[earlier.index()]);
        return causes.empty() ? Causes{start} : causes;
    }

    Causes last_ends_of(Scheduled const& done) const {
        Causes causes;
        auto const group = done.group.index();
        for (auto task = graph_.first_task[group]; task < graph_.first_task[group + 1]; ++task)
            if (result_.causes.when(result_.end_of[task]).ns == done.when)
                causes.push_back(result_.end_of[task]);
        return causes;
    }

    void complete(Causes const& done) {
        auto const completion = done_.empty() ? 0 : std::ranges::max(done_);
        Causes causes = done_.empty() ? Causes{0} : Causes{};
        for (std::size_t group = 0; group < graph_.groups(); ++group)
            if (done_[group] == completion)
                causes.push_back(done[group]);
        add(completion, 0, causes);
    }

    TaskGraph const& graph_;
    std::vector<std::int64_t> opens_;  // by group, in units
    std::vector<std::int64_t> done_;
    std::vector<std::vector<TaskGroupId>> before_;
    std::vector<Scheduled> events_;
    TaskGraphCauses result_;
};

}  // namespace

TaskGraphCauses causes_of(TaskGraph const& graph) {
    return RunOfGraph(graph).log();
}

}  // namespace parcast::analysis
