#include "program/condensed_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/task_graph_builder.h"

namespace parcast {

namespace {

using Groups = std::vector<TaskGroupId>;

// What a process does between two synchronisations.
struct Segment {
    std::uint32_t process = 0;
    double cpu_ns = 0;
    double estimate_ns = 0;
    Groups groups;                 // of its tasks, in order
    std::vector<double> group_ns;  // CPU time of each of them
    Groups awaited;                // groups with tasks of other processes before its first task, ascending
    Groups awaiting;               // and after its last one
    bool is_alone = false;         // has a precedence that others which do parts of the same groups have not
};

class Condenser {
public:
    Condenser(TaskGraph const& graph, StaticSchedule const& schedule)
        : graph_(graph), schedule_(schedule), group_of_(group_of_each_task(graph)) {}

    TaskGraph run() {
        find_homes();
        find_predecessors();
        for (auto const task : schedule_.order)
            append(task);
        find_chains();
        gather();
        return build();
    }

private:
    // For each group the process that runs all of it.
    void find_homes() {
        for (std::size_t group = 0; group < graph_.groups(); ++group) {
            auto const tasks =
                schedule_.process.subspan(graph_.first_task[group], graph_.size_of(TaskGroupId(group)));
            bool const is_one = tasks[0] != any_process &&
                                std::ranges::all_of(tasks, [&](auto process) { return process == tasks[0]; });
            home_.push_back(is_one ? std::optional(tasks[0]) : std::nullopt);
        }
    }

    void find_predecessors() {
        predecessors_.resize(graph_.groups());
        for (std::size_t group = 0; group < graph_.groups(); ++group)
            for (auto const successor : graph_.successors_of(TaskGroupId(group)))
                predecessors_[successor.index()].push_back(TaskGroupId(group));
    }

    Groups of_others(std::span<TaskGroupId const> groups, std::uint32_t process) const {
        Groups others;
        for (auto const group : groups)
            if (home_[group.index()] != process)
                others.push_back(group);
        return others;
    }

    void append(std::uint32_t task) {
        auto const group = group_of_[task];
        auto const process = schedule_.process[task];
        auto& segment = segments_[segment_for(group, process)];
        segment.cpu_ns += graph_.cpu_ns[task];
        segment.estimate_ns += parcast::estimate_ns(graph_, TaskId(std::size_t{task}));
        segment.group_ns.back() += graph_.cpu_ns[task];
    }

    // The one that the process is in, or a new one. Tasks of any process are one each.
    std::size_t segment_for(TaskGroupId group, std::uint32_t process) {
        if (process == any_process)
            return begin(process, group, {}, {});
        auto& own = of_process_[process];
        if (!own.empty() && segments_[own.back()].groups.back() == group)
            return own.back();
        auto awaited = of_others(predecessors_[group.index()], process);
        auto awaiting = of_others(graph_.successors_of(group), process);
        bool const continues = !own.empty() &&
                               std::ranges::includes(segments_[own.back()].awaited, awaited) &&
                               std::ranges::includes(awaiting, segments_[own.back()].awaiting);
        if (!continues) {
            own.push_back(begin(process, group, std::move(awaited), std::move(awaiting)));
            return own.back();
        }
        auto& segment = segments_[own.back()];
        segment.groups.push_back(group);
        segment.group_ns.push_back(0);
        segment.awaiting = std::move(awaiting);
        return own.back();
    }

    std::size_t begin(std::uint32_t process, TaskGroupId group, Groups awaited, Groups awaiting) {
        auto& segment = segments_.emplace_back();
        segment.process = process;
        segment.groups = {group};
        segment.group_ns = {0};
        segment.awaited = std::move(awaited);
        segment.awaiting = std::move(awaiting);
        return segments_.size() - 1;
    }

    // The order of a process is a precedence of its own where the graph has none.
    void find_chains() {
        for (auto const& [process, own] : of_process_) {
            for (std::size_t place = 1; place < own.size(); ++place) {
                auto& before = segments_[own[place - 1]];
                auto& after = segments_[own[place]];
                if (is_known_before(before.groups, after.groups))
                    continue;
                before.is_alone = after.is_alone = true;
                chains_.emplace_back(own[place - 1], own[place]);
            }
        }
    }

    // Looks a little way: a precedence too many changes no time.
    bool is_known_before(Groups const& before, Groups const& after) const {
        std::set<TaskGroupId> seen;
        Groups open = before;
        for (std::size_t next = 0; next < open.size() && seen.size() < most_searched; ++next) {
            for (auto const successor : graph_.successors_of(open[next])) {
                if (std::ranges::find(after, successor) != after.end())
                    return true;
                if (seen.insert(successor).second)
                    open.push_back(successor);
            }
        }
        return false;
    }

    // Segments of the same groups have the same before and after them.
    void gather() {
        std::map<std::pair<Groups, std::size_t>, std::size_t> known;
        for (std::size_t index = 0; index < segments_.size(); ++index) {
            auto const& segment = segments_[index];
            auto const key = std::pair(segment.groups, segment.is_alone ? index + 1 : 0);
            auto const [found, is_new] = known.emplace(key, gathered_.size());
            if (is_new)
                gathered_.emplace_back();
            gathered_[found->second].push_back(index);
            place_of_.push_back(found->second);
        }
    }

    TaskGraph build() const {
        TaskGraphBuilder builder;
        std::vector<std::vector<std::size_t>> parts_of(graph_.groups());  // of the condensed graph
        for (std::size_t index = 0; index < gathered_.size(); ++index) {
            add(builder, gathered_[index]);
            for (auto const group : segments_[gathered_[index].front()].groups)
                parts_of[group.index()].push_back(index);
        }
        for (std::size_t group = 0; group < graph_.groups(); ++group) {
            for (auto const successor : graph_.successors_of(TaskGroupId(group))) {
                for (auto const before : parts_of[group]) {
                    for (auto const after : parts_of[successor.index()])
                        if (before != after)
                            builder.precede(TaskGroupId(before), TaskGroupId(after));
                }
            }
        }
        for (auto const& [before, after] : chains_)
            builder.precede(TaskGroupId(place_of_[before]), TaskGroupId(place_of_[after]));
        auto result = std::move(builder).finish();
        result.name = graph_.name;
        result.assumptions = graph_.assumptions;
        result.assumptions.push_back("Condensed to " + std::to_string(of_process_.size()) +
                                     (of_process_.size() == 1 ? " process" : " processes") +
                                     ": what one does between two synchronisations is one task.");
        return result;
    }

    void add(TaskGraphBuilder& builder, std::vector<std::size_t> const& members) const {
        std::vector<double> cpu_ns;
        std::vector<double> estimates;
        std::vector<std::uint32_t> processes;
        for (auto const index : members) {
            cpu_ns.push_back(segments_[index].cpu_ns);
            estimates.push_back(segments_[index].estimate_ns);
            processes.push_back(segments_[index].process);
        }
        auto const group = builder.add_group(cpu_ns);
        builder.name(group, name_of(segments_[members.front()].groups));
        builder.pin(group, processes);
        if (!graph_.estimate_ns.empty())
            builder.estimate(group, estimates);
        for (auto const& use : graph_.resources)
            builder.use(group, use.name, mean_of(use, members));
    }

    // "move", "move + reset", "move + 4 more"
    std::string name_of(Groups const& groups) const {
        auto const name = [&](TaskGroupId group) {
            return graph_.group_names.empty() ? std::string() : graph_.group_names[group.index()];
        };
        auto const first = name(groups.front());
        if (groups.size() == 1 || first.empty())
            return first;
        return first + " + " +
               (groups.size() == 2 ? name(groups.back()) : std::to_string(groups.size() - 1) + " more");
    }

    // By CPU time if it is a rate, otherwise by visits, where the graph says their rate.
    double mean_of(ResourceUse const& use, std::vector<std::size_t> const& members) const {
        auto const dot = use.name.rfind('.');
        bool const is_rate = use.name.ends_with(".rate");
        auto const rate = is_rate ? graph_.resources.end()
                                  : std::ranges::find(graph_.resources, use.name.substr(0, dot) + ".rate",
                                                      &ResourceUse::name);
        double sum = 0;
        double weights = 0;
        for (auto const index : members) {
            auto const& segment = segments_[index];
            for (std::size_t part = 0; part < segment.groups.size(); ++part) {
                auto const group = segment.groups[part].index();
                auto const weight =
                    segment.group_ns[part] * (rate == graph_.resources.end() ? 1 : rate->value[group]);
                sum += weight * use.value[group];
                weights += weight;
            }
        }
        return weights > 0 ? sum / weights : use.value[segments_[members.front()].groups.front().index()];
    }

    static constexpr std::size_t most_searched = 256;

    TaskGraph const& graph_;
    StaticSchedule schedule_;
    Groups group_of_;  // by task
    std::vector<std::optional<std::uint32_t>> home_;
    std::vector<Groups> predecessors_;
    std::vector<Segment> segments_;
    std::map<std::uint32_t, std::vector<std::size_t>> of_process_;  // its segments, in order
    std::vector<std::pair<std::size_t, std::size_t>> chains_;       // segments
    std::vector<std::vector<std::size_t>> gathered_;                // segments, by group of the result
    std::vector<std::size_t> place_of_;                             // by segment: where in gathered_
};

}  // namespace

TaskGraph condensed(TaskGraph const& graph, StaticSchedule const& schedule) {
    return Condenser(graph, schedule).run();
}

}  // namespace parcast
