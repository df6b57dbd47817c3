#include "extract/tasks/task_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "extract/tasks/creation_loops.h"
#include "extract/tasks/segment_graph.h"
#include "program/lock_parameters.h"
#include "program/task_graph_builder.h"

namespace parcast::extract {

namespace {

// What is before and after each node, ascending and without repetition.
struct Neighbours {
    std::vector<std::vector<NodeId>> before;
    std::vector<std::vector<NodeId>> after;
};

Neighbours neighbours_of(SegmentGraph const& segments) {
    Neighbours neighbours{std::vector<std::vector<NodeId>>(segments.nodes.size()),
                          std::vector<std::vector<NodeId>>(segments.nodes.size())};
    for (auto const& [before, after] : segments.edges) {
        neighbours.before[after.index()].push_back(before);
        neighbours.after[before.index()].push_back(after);
    }
    for (auto* side : {&neighbours.before, &neighbours.after}) {
        for (auto& nodes : *side) {
            std::ranges::sort(nodes);
            auto const rest = std::ranges::unique(nodes);
            nodes.erase(rest.begin(), rest.end());
        }
    }
    return neighbours;
}

// Kahn's algorithm: every node after those before it.
std::vector<NodeId> in_order(Neighbours const& neighbours) {
    std::vector<std::size_t> waiting_for;
    std::vector<NodeId> order;
    for (std::size_t node = 0; node < neighbours.before.size(); ++node) {
        waiting_for.push_back(neighbours.before[node].size());
        if (waiting_for.back() == 0)
            order.push_back(NodeId(node));
    }
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (auto const after : neighbours.after[order[next].index()])
            if (--waiting_for[after.index()] == 0)
                order.push_back(after);
    }
    return order;
}

class TaskGraphMaker {
public:
    TaskGraphMaker(ThreadProgram const& program, SegmentGraph segments)
        : program_(program),
          segments_(std::move(segments)),
          merged_(merge_creation_loops(segments_)),
          neighbours_(neighbours_of(segments_)) {}

    TaskGraph make() {
        gather_groups();
        connect();
        auto graph = add_groups();
        auto const shared = shared_locks();
        auto const kept = std::min(shared.size(), most_locks);
        keep_locks(std::span(shared).first(kept), graph);
        graph.assumptions = assumptions(shared, kept);
        return graph;
    }

private:
    bool has_work(NodeId node) const { return segments_.nodes[node.index()].work_ns > 0; }

    // Segments with work and the same neighbours, in the order of their first.
    void gather_groups() {
        std::map<std::pair<std::vector<NodeId>, std::vector<NodeId>>, std::size_t> group_of_neighbours;
        group_of_.assign(segments_.nodes.size(), none);
        for (std::size_t index = 0; index < segments_.nodes.size(); ++index) {
            if (!has_work(NodeId(index)))
                continue;
            auto const key = std::pair(neighbours_.before[index], neighbours_.after[index]);
            // What nothing waits for and what waits for nothing has no neighbours to share.
            bool const is_alone = key.first.empty() && key.second.empty();
            auto const [found, is_new] = is_alone ? std::pair(group_of_neighbours.end(), true)
                                                  : group_of_neighbours.emplace(key, groups_.size());
            if (is_new)
                groups_.emplace_back();
            group_of_[index] = is_alone ? groups_.size() - 1 : found->second;
            groups_[group_of_[index]].push_back(NodeId(index));
        }
    }

    // What a node without work waits for is what waits for it: unless that takes many more edges, then it is
    // a task.
    void connect() {
        std::vector<std::set<std::size_t>> passed_on(
            segments_.nodes.size());  // groups that end before a node
        for (auto const node : in_order(neighbours_)) {
            std::set<std::size_t> before;
            for (auto const earlier : neighbours_.before[node.index()]) {
                auto const& groups = passed_on[earlier.index()];
                before.insert(groups.begin(), groups.end());
            }
            bool const is_crossing = before.size() * neighbours_.after[node.index()].size() > most_crossing;
            if (group_of_[node.index()] == none && is_crossing) {
                group_of_[node.index()] = groups_.size();
                groups_.push_back({node});
            }
            auto const group = group_of_[node.index()];
            if (group == none) {
                passed_on[node.index()] = std::move(before);
                continue;
            }
            for (auto const earlier : before)
                edges_.emplace(earlier, group);
            passed_on[node.index()] = {group};
        }
    }

    TaskGraph add_groups() {
        TaskGraphBuilder builder;
        if (groups_.empty())
            builder.add_task(0);  // a program without work
        for (auto const& group : groups_) {
            std::vector<double> times;
            std::vector<std::uint32_t> threads;
            for (auto const node : group) {
                times.push_back(static_cast<double>(segments_.nodes[node.index()].work_ns));
                auto const thread = segments_.nodes[node.index()].thread;
                threads.push_back(thread.is_none() ? any_process : thread.value);
            }
            auto const id = builder.add_group(times);
            builder.name(id, name_of(group));
            builder.pin(id, threads);
        }
        for (auto const& [before, after] : edges_)
            builder.precede(TaskGroupId(before), TaskGroupId(after));
        return std::move(builder).finish();
    }

    // "worker 3, part 12": the thread's name is not unique, its number is.
    std::string name_of(std::vector<NodeId> const& group) {
        auto const thread = segments_.nodes[group.front().index()].thread;
        if (thread.is_none())
            return "barrier " + std::to_string(++barriers_);
        auto const& known = program_.catalogue.threads[thread.index()];
        auto const& name = known.name.empty() ? known.function : known.name;
        auto const part = std::to_string(++parts_[thread]);
        return (name.empty() ? "thread" : name) + " " + std::to_string(thread.value) + ", part " + part;
    }

    struct SharedLock {
        std::uint32_t object = 0;
        std::int64_t held_ns = 0;
    };

    // Keeps each lock's rate and the time that it is held. A task that goes on holding it takes it as well.
    void keep_locks(std::span<SharedLock const> locks, TaskGraph& graph) const {
        for (auto const& [object, all_held_ns] : locks) {
            std::vector<double> taken(graph.groups());
            std::vector<double> held(graph.groups());
            for (auto const& use : segments_.locks) {
                auto const group = group_of_[use.node.index()];
                if (use.object == object && group != none) {
                    taken[group] += 1;
                    held[group] += static_cast<double>(use.held_ns);
                }
            }
            auto const number = graph.resources.size() / 2 + 1;
            ResourceUse rate{lock_rate(number), std::vector<double>(graph.groups())};
            ResourceUse hold{lock_hold(number), std::vector<double>(graph.groups())};
            for (std::size_t group = 0; group < graph.groups(); ++group) {
                double work = 0;
                for (auto const time : graph.times_of(TaskGroupId(group)))
                    work += time;
                rate.value[group] = work > 0 ? taken[group] / work : 0;
                hold.value[group] = taken[group] > 0 ? held[group] / taken[group] : 0;
            }
            graph.resources.push_back(std::move(rate));
            graph.resources.push_back(std::move(hold));
        }
    }

    // Those that several threads take, for nobody waits for others; the one that is held longest first.
    std::vector<SharedLock> shared_locks() const {
        struct Lock {
            std::int64_t held_ns = 0;
            std::set<ThreadId> threads;
        };
        std::map<std::uint32_t, Lock> locks;
        for (auto const& use : segments_.locks) {
            locks[use.object].held_ns += use.held_ns;
            locks[use.object].threads.insert(segments_.nodes[use.node.index()].thread);
        }
        std::vector<SharedLock> shared;
        for (auto const& [object, lock] : locks)
            if (lock.threads.size() > 1)
                shared.push_back({object, lock.held_ns});
        std::ranges::stable_sort(shared, std::ranges::greater{}, &SharedLock::held_ns);
        return shared;
    }

    // " The other 4 that several threads take are held 12 % of the time of all of them, and are left out."
    static std::string about_left_out(std::span<SharedLock const> shared, std::size_t kept) {
        if (kept == shared.size())
            return {};
        double all = 0;
        double left_out = 0;
        for (std::size_t i = 0; i < shared.size(); ++i) {
            auto const held = static_cast<double>(shared[i].held_ns);
            all += held;
            left_out += i < kept ? 0 : held;
        }
        auto const others = shared.size() - kept;
        return " Left out are the other " + std::to_string(others) + " that several threads take, with " +
               percent_text(all > 0 ? left_out / all : 0) + " of the time that all these locks are held.";
    }

    std::vector<std::string> assumptions(std::span<SharedLock const> shared, std::size_t kept) const {
        std::vector<std::string> sentences = {
            "A task is what a thread does between two synchronisations; a scheduler of tasks may run those "
            "of different "
            "threads in any order that the precedences allow."};
        if (segments_.waiting_ns > 0) {
            sentences.push_back(
                "The program waits for " + time_text({segments_.waiting_ns}) +
                " asleep or for input and output; a task graph has no such time, and it is left out.");
        }
        if (merged_.work_ns > 0) {
            sentences.push_back("Creating several threads in a row is one task, and so is joining them: " +
                                counted(static_cast<std::int64_t>(merged_.segments), "short segment") +
                                " between, " + time_text({merged_.work_ns}) + " in all, are not apart.");
        }
        if (!segments_.locks.empty())
            sentences.push_back(about_locks(shared, kept));
        sentences.insert(sentences.end(), program_.assumptions.begin(), program_.assumptions.end());
        return sentences;
    }

    std::string about_locks(std::span<SharedLock const> shared, std::size_t kept) const {
        std::set<std::uint32_t> locks;
        for (auto const& use : segments_.locks)
            locks.insert(use.object);
        auto const text =
            "Waiting for locks is left out: " + counted(static_cast<std::int64_t>(locks.size()), "lock") +
            ", taken " + counted(std::ranges::count(segments_.locks, true, &LockUse::is_taken), "time");
        if (kept == 0)
            return text + ". No two threads take the same one.";
        return text + ". How often tasks take " +
               (kept == 1 ? std::string("the one") : "the " + std::to_string(kept)) +
               " that several threads take, held longest, is in the graph: --memory lock." +
               about_left_out(shared, kept);
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr std::size_t most_crossing = 64;

    ThreadProgram const& program_;
    SegmentGraph segments_;
    MergedSegments merged_;
    Neighbours neighbours_;
    std::vector<std::size_t> group_of_;  // by node; none: it has no work
    std::vector<std::vector<NodeId>> groups_;
    std::set<std::pair<std::size_t, std::size_t>> edges_;
    std::map<ThreadId, std::size_t> parts_;
    std::size_t barriers_ = 0;
};

}  // namespace

Result<TaskGraph> task_graph_of(ThreadProgram const& program) {
    auto segments = segments_of(program);
    if (!segments)
        return pass_on(segments);
    auto graph = TaskGraphMaker(program, std::move(*segments)).make();
    if (auto checked = check(graph); !checked)
        return pass_on(checked);
    return graph;
}

}  // namespace parcast::extract
