#include "model/comparators/mak_lundstrom.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/comparators/phases.h"

namespace parcast::model {

namespace {

using Nodes = std::set<std::uint32_t>;

// Looking for implied edges takes time with the square of what is left.
constexpr std::size_t most_searched = 2000;

struct Node {
    Time time;
    Nodes before;
    Nodes after;
};

// The graph while it is reduced to one node.
class Reduction {
public:
    Reduction(TaskGraph const& graph, std::vector<double> const& times, Composite composite)
        : composite_(composite) {
        nodes_.resize(graph.groups());
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            std::vector<Time> tasks;
            for (std::size_t task = graph.first_task[i]; task < graph.first_task[i + 1]; ++task) {
                tasks.push_back(exponential(times[task]));
            }
            nodes_[i].time = parallel(tasks);
            alive_.insert(i);
            for (TaskGroupId const next : graph.successors_of(TaskGroupId(i))) {
                nodes_[i].after.insert(next.value);
                nodes_[next.index()].before.insert(i);
            }
        }
    }

    // What is left in the end is one node, unless the graph is not series-parallel.
    void run() {
        bool reduced = true;
        while (reduced && alive_.size() > 1) {
            bool const in_series = join_series();
            bool const in_parallel = join_parallel();
            reduced = in_series || in_parallel || drop_implied_edges();
        }
    }

    Nodes const& left() const { return alive_; }
    Node const& node(std::uint32_t i) const { return nodes_[i]; }

private:
    Time parallel(std::vector<Time> const& times) const {
        return composite_ == Composite::gamma ? maximum(times) : exponential(mean_of_maximum(times));
    }

    Time series(Time const& first, Time const& second) const {
        double const mean = first.mean + second.mean;
        return composite_ == Composite::gamma ? Time{mean, first.variance + second.variance}
                                              : exponential(mean);
    }

    bool join_series() {
        bool joined = false;
        for (auto it = alive_.begin(); it != alive_.end(); ++it) {
            while (nodes_[*it].after.size() == 1) {
                std::uint32_t const next = *nodes_[*it].after.begin();
                if (nodes_[next].before.size() != 1) {
                    break;
                }
                nodes_[*it].time = series(nodes_[*it].time, nodes_[next].time);
                take_over_successors(*it, next);
                joined = true;
            }
        }
        return joined;
    }

    void take_over_successors(std::uint32_t node, std::uint32_t next) {
        nodes_[node].after = nodes_[next].after;
        for (std::uint32_t const after : nodes_[next].after) {
            nodes_[after].before.erase(next);
            nodes_[after].before.insert(node);
        }
        alive_.erase(next);
    }

    bool join_parallel() {
        std::map<std::pair<Nodes, Nodes>, std::vector<std::uint32_t>> alike;
        for (std::uint32_t const node : alive_) {
            alike[{nodes_[node].before, nodes_[node].after}].push_back(node);
        }
        bool joined = false;
        for (auto const& [neighbours, group] : alike) {
            if (group.size() > 1) {
                join(group);
                joined = true;
            }
        }
        return joined;
    }

    void join(std::vector<std::uint32_t> const& group) {
        std::vector<Time> times;
        for (std::uint32_t const node : group) {
            times.push_back(nodes_[node].time);
        }
        nodes_[group.front()].time = parallel(times);
        for (std::size_t i = 1; i < group.size(); ++i) {
            remove(group[i]);
        }
    }

    void remove(std::uint32_t node) {
        for (std::uint32_t const before : nodes_[node].before) {
            nodes_[before].after.erase(node);
        }
        for (std::uint32_t const after : nodes_[node].after) {
            nodes_[after].before.erase(node);
        }
        alive_.erase(node);
    }

    // An edge beside a longer way hides what is in series.
    bool drop_implied_edges() {
        bool dropped = false;
        if (alive_.size() > most_searched) {
            return false;
        }
        for (std::uint32_t const node : alive_) {
            Nodes farther;
            for (std::uint32_t const after : nodes_[node].after) {
                reach(after, farther);
            }
            for (std::uint32_t const far : farther) {
                if (nodes_[node].after.erase(far) > 0) {
                    nodes_[far].before.erase(node);
                    dropped = true;
                }
            }
        }
        return dropped;
    }

    // What comes after `from`.
    void reach(std::uint32_t from, Nodes& reached) const {
        std::vector<std::uint32_t> open{from};
        while (!open.empty()) {
            std::uint32_t const node = open.back();
            open.pop_back();
            for (std::uint32_t const after : nodes_[node].after) {
                if (reached.insert(after).second) {
                    open.push_back(after);
                }
            }
        }
    }

    Composite composite_;
    std::vector<Node> nodes_;
    Nodes alive_;
};

std::string named(TaskGraph const& graph, std::uint32_t node) {
    return describe(graph, TaskGroupId(node));
}

// Two tasks with a successor in common, of which one goes before more, or waits for others.
std::string reason(TaskGraph const& graph, Reduction const& reduction) {
    std::string waiting;
    for (std::uint32_t const node : reduction.left()) {
        auto const& after = reduction.node(node).after;
        for (std::uint32_t const next : after) {
            for (std::uint32_t const other : reduction.node(next).before) {
                if (reduction.node(other).after != after) {
                    return named(graph, node) + " and " + named(graph, other) + " both go before " +
                           named(graph, next) + ", but not before the same tasks";
                }
                if (waiting.empty() && reduction.node(other).before != reduction.node(node).before) {
                    waiting = named(graph, node) + " and " + named(graph, other) + " both go before " +
                              named(graph, next) + ", but do not wait for the same tasks";
                }
            }
        }
    }
    return waiting.empty() ? std::to_string(reduction.left().size()) + " groups cannot be taken together"
                           : waiting;
}

}  // namespace

Result<Time> mak_lundstrom(TaskGraph const& graph, Composite composite, std::uint32_t processors,
                           ContentionLaw const* contention) {
    if (graph.tasks() > most_mak_lundstrom_tasks) {
        return fail(ErrorCode::out_of_range, "the maximum of " + std::to_string(graph.tasks()) +
                                                 " times would take too long; it takes at most " +
                                                 std::to_string(most_mak_lundstrom_tasks));
    }
    auto times = contended_times(graph, processors, contention);
    if (!times) {
        return pass_on(times);
    }
    Reduction reduction(graph, *times, composite);
    reduction.run();
    if (reduction.left().size() > 1) {
        return fail(ErrorCode::unsupported, "not a series-parallel graph: " + reason(graph, reduction));
    }
    return reduction.left().empty() ? Time{} : reduction.node(*reduction.left().begin()).time;
}

}  // namespace parcast::model
