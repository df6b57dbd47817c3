#include "program/series_parallel.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace parcast {

namespace {

using Nodes = std::set<std::uint32_t>;
using Kind = SeriesParallel::Kind;

// Looking for implied edges, and for the best place of a cut, takes time with the square of what is left.
constexpr std::size_t most_searched = 2000;

// The longest path, in precedences, to each node of a part. `order` has all nodes before those that come
// after them.
struct Levels {
    std::vector<std::uint32_t> order;
    std::map<std::uint32_t, std::uint32_t> of;  // by node
    std::uint32_t count = 0;
};

// The graph while it is reduced to one node.
class Reduction {
public:
    explicit Reduction(TaskGraph const& graph) : nodes_(graph.groups()) {
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            auto const times = graph.times_of(TaskGroupId(i));
            nodes_[i].span_ns = times.empty() ? 0 : *std::max_element(times.begin(), times.end());
            nodes_[i].tree = i;
            tree_.push_back({Kind::group, TaskGroupId(i), {}});
            for (TaskGroupId const next : graph.successors_of(TaskGroupId(i))) {
                nodes_[i].after.insert(next.value);
                nodes_[next.index()].before.insert(i);
            }
        }
    }

    Nodes all() const {
        Nodes result;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i)
            result.insert(result.end(), i);
        return result;
    }

    // What is left of the part in the end is one node, unless it is not series-parallel.
    void run(Nodes& part) {
        bool reduced = true;
        while (reduced && part.size() > 1) {
            bool const in_series = join_series(part);
            bool const in_parallel = join_parallel(part);
            reduced = in_series || in_parallel || drop_implied_edges(part);
        }
    }

    // The tree of a part with cuts where it is stuck. REQUIRES: not empty.
    std::uint32_t with_cuts(Nodes part) {
        run(part);
        if (part.size() == 1)
            return nodes_[*part.begin()].tree;
        auto parts = connected(part);
        if (parts.size() > 1)
            return composed(Kind::parallel, parts);
        auto const levels = levels_of(part);
        if (part.size() > most_searched)
            return composed(Kind::series, by_level(levels));
        return composed(Kind::series, cut(levels));
    }

    Nodes const& before(std::uint32_t node) const { return nodes_[node].before; }
    Nodes const& after(std::uint32_t node) const { return nodes_[node].after; }

    // What is below a node of the tree, without what no longer belongs to it.
    SeriesParallel structure(std::uint32_t root) const;
    std::uint32_t tree_of(std::uint32_t node) const { return nodes_[node].tree; }

private:
    struct Node {
        double span_ns = 0;
        std::uint32_t tree = 0;
        Nodes before;
        Nodes after;
    };

    std::uint32_t compose(Kind kind, std::vector<std::uint32_t> children) {
        tree_.push_back({kind, TaskGroupId::none(), std::move(children)});
        return static_cast<std::uint32_t>(tree_.size() - 1);
    }

    std::uint32_t composed(Kind kind, std::vector<Nodes>& parts) {
        if (kind == Kind::series)
            separate(parts);
        std::vector<std::uint32_t> children;
        for (auto& part : parts)
            children.push_back(with_cuts(std::move(part)));
        return compose(kind, std::move(children));
    }
    std::uint32_t composed(Kind kind, std::vector<Nodes>&& parts) { return composed(kind, parts); }

    bool join_series(Nodes& part) {
        bool joined = false;
        for (auto it = part.begin(); it != part.end(); ++it) {
            while (nodes_[*it].after.size() == 1) {
                std::uint32_t const next = *nodes_[*it].after.begin();
                if (nodes_[next].before.size() != 1)
                    break;
                put_behind(*it, next);
                part.erase(next);
                joined = true;
            }
        }
        return joined;
    }

    void put_behind(std::uint32_t node, std::uint32_t next) {
        auto& first = nodes_[node];
        if (tree_[first.tree].kind != Kind::series)
            first.tree = compose(Kind::series, {first.tree});
        tree_[first.tree].children.push_back(nodes_[next].tree);
        first.span_ns += nodes_[next].span_ns;
        first.after = nodes_[next].after;
        for (std::uint32_t const after : first.after) {
            nodes_[after].before.erase(next);
            nodes_[after].before.insert(node);
        }
    }

    bool join_parallel(Nodes& part) {
        std::map<std::pair<Nodes, Nodes>, std::vector<std::uint32_t>> alike;
        for (std::uint32_t const node : part)
            alike[{nodes_[node].before, nodes_[node].after}].push_back(node);
        bool joined = false;
        for (auto const& [neighbours, group] : alike) {
            if (group.size() < 2)
                continue;
            put_beside(group, part);
            joined = true;
        }
        return joined;
    }

    void put_beside(std::vector<std::uint32_t> const& group, Nodes& part) {
        std::vector<std::uint32_t> children;
        double span_ns = 0;
        for (std::uint32_t const node : group) {
            children.push_back(nodes_[node].tree);
            span_ns = std::max(span_ns, nodes_[node].span_ns);
        }
        nodes_[group.front()].tree = compose(Kind::parallel, std::move(children));
        nodes_[group.front()].span_ns = span_ns;
        for (std::size_t i = 1; i < group.size(); ++i)
            remove(group[i], part);
    }

    void remove(std::uint32_t node, Nodes& part) {
        for (std::uint32_t const before : nodes_[node].before)
            nodes_[before].after.erase(node);
        for (std::uint32_t const after : nodes_[node].after)
            nodes_[after].before.erase(node);
        part.erase(node);
    }

    // An edge beside a longer way hides what is in series.
    bool drop_implied_edges(Nodes const& part) {
        bool dropped = false;
        if (part.size() > most_searched)
            return false;
        for (std::uint32_t const node : part) {
            Nodes farther;
            for (std::uint32_t const after : nodes_[node].after)
                reach(after, farther);
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
            for (std::uint32_t const after : nodes_[node].after)
                if (reached.insert(after).second)
                    open.push_back(after);
        }
    }

    // Parts with no precedence between them.
    std::vector<Nodes> connected(Nodes left) const {
        std::vector<Nodes> parts;
        while (!left.empty()) {
            Nodes part{*left.begin()};
            std::vector<std::uint32_t> open{*left.begin()};
            while (!open.empty()) {
                auto const& node = nodes_[open.back()];
                open.pop_back();
                for (auto const* neighbours : {&node.before, &node.after}) {
                    for (std::uint32_t const neighbour : *neighbours)
                        if (part.insert(neighbour).second)
                            open.push_back(neighbour);
                }
            }
            for (std::uint32_t const node : part)
                left.erase(node);
            parts.push_back(std::move(part));
        }
        return parts;
    }

    Levels levels_of(Nodes const& part) const {
        Levels levels;
        std::map<std::uint32_t, std::size_t> missing;
        for (std::uint32_t const node : part)
            if (!nodes_[node].before.empty())
                missing[node] = nodes_[node].before.size();
            else
                levels.order.push_back(node);
        for (std::size_t i = 0; i < levels.order.size(); ++i) {
            std::uint32_t const node = levels.order[i];
            std::uint32_t const level = levels.of[node];
            levels.count = std::max(levels.count, level + 1);
            for (std::uint32_t const next : nodes_[node].after) {
                levels.of[next] = std::max(levels.of[next], level + 1);
                if (--missing[next] == 0)
                    levels.order.push_back(next);
            }
        }
        return levels;
    }

    static std::vector<Nodes> by_level(Levels const& levels) {
        std::vector<Nodes> parts(levels.count);
        for (auto const& [node, level] : levels.of)
            parts[level].insert(node);
        return parts;
    }

    // Nodes in the order in which they end if each begins as soon as it can: what goes before a node is
    // before it. With a cut behind some of the first, the critical path is what they take and the longest
    // path of the rest.
    std::vector<Nodes> cut(Levels const& levels) const {
        auto const ends = longest_paths(levels.order, &Node::before);
        auto const rests =
            longest_paths(std::vector(levels.order.rbegin(), levels.order.rend()), &Node::after);
        auto order = levels.order;
        std::ranges::stable_sort(order, {}, [&](std::uint32_t node) { return ends.at(node); });
        std::size_t best = order.size() - 1;
        double best_ns = std::numeric_limits<double>::infinity();
        double rest_ns = 0;
        for (std::size_t first = order.size() - 1; first > 0; --first) {
            rest_ns = std::max(rest_ns, rests.at(order[first]));
            double const span_ns = ends.at(order[first - 1]) + rest_ns;
            if (span_ns < best_ns) {
                best = first;
                best_ns = span_ns;
            }
        }
        auto const place = order.begin() + static_cast<std::ptrdiff_t>(best);
        return {Nodes(order.begin(), place), Nodes(place, order.end())};
    }

    // To the end of each node, in an order in which its neighbours of that kind come first.
    std::map<std::uint32_t, double> longest_paths(std::vector<std::uint32_t> const& order,
                                                  Nodes Node::* neighbours) const {
        std::map<std::uint32_t, double> paths;
        for (std::uint32_t const node : order) {
            double longest = 0;
            for (std::uint32_t const neighbour : nodes_[node].*neighbours)
                longest = std::max(longest, paths.at(neighbour));
            paths[node] = longest + nodes_[node].span_ns;
        }
        return paths;
    }

    // Takes out the precedences from a part into a later one.
    void separate(std::vector<Nodes> const& parts) {
        for (auto const& part : parts) {
            for (std::uint32_t const node : part) {
                std::erase_if(nodes_[node].after, [&](std::uint32_t next) { return !part.contains(next); });
                std::erase_if(nodes_[node].before, [&](std::uint32_t last) { return !part.contains(last); });
            }
        }
    }

    std::vector<Node> nodes_;
    std::vector<SeriesParallel::Node> tree_;  // in the order in which they were composed
};

SeriesParallel Reduction::structure(std::uint32_t root) const {
    SeriesParallel result;
    struct Open {
        std::uint32_t node;
        std::size_t next_child = 0;
        SeriesParallel::Node made;
    };
    std::vector<Open> open;
    open.push_back({root, 0, {tree_[root].kind, tree_[root].group, {}}});
    while (!open.empty()) {
        auto& top = open.back();
        auto const& children = tree_[top.node].children;
        if (top.next_child < children.size()) {
            std::uint32_t const child = children[top.next_child++];
            open.push_back({child, 0, {tree_[child].kind, tree_[child].group, {}}});
            continue;
        }
        auto made = std::move(top.made);
        open.pop_back();
        bool const is_spliced =
            !open.empty() && made.kind == Kind::series && open.back().made.kind == Kind::series;
        if (is_spliced) {
            auto& into = open.back().made.children;
            into.insert(into.end(), made.children.begin(), made.children.end());
            continue;
        }
        result.nodes.push_back(std::move(made));
        if (!open.empty())
            open.back().made.children.push_back(static_cast<std::uint32_t>(result.nodes.size() - 1));
    }
    return result;
}

std::string named(TaskGraph const& graph, std::uint32_t node) {
    return describe(graph, TaskGroupId(node));
}

// Two tasks with a successor in common, of which one goes before more, or waits for others.
std::string reason(TaskGraph const& graph, Reduction const& reduction, Nodes const& left) {
    std::string waiting;
    for (std::uint32_t const node : left) {
        auto const& after = reduction.after(node);
        for (std::uint32_t const next : after) {
            for (std::uint32_t const other : reduction.before(next)) {
                if (reduction.after(other) != after) {
                    return named(graph, node) + " and " + named(graph, other) + " both go before " +
                           named(graph, next) + ", but not before the same tasks";
                }
                if (waiting.empty() && reduction.before(other) != reduction.before(node)) {
                    waiting = named(graph, node) + " and " + named(graph, other) + " both go before " +
                              named(graph, next) + ", but do not wait for the same tasks";
                }
            }
        }
    }
    return waiting.empty() ? std::to_string(left.size()) + " groups cannot be taken together" : waiting;
}

}  // namespace

Result<SeriesParallel> series_parallel(TaskGraph const& graph) {
    Reduction reduction(graph);
    auto left = reduction.all();
    reduction.run(left);
    if (left.size() > 1)
        return fail(ErrorCode::unsupported, "not a series-parallel graph: " + reason(graph, reduction, left));
    return left.empty() ? SeriesParallel{} : reduction.structure(reduction.tree_of(*left.begin()));
}

SeriesParallel closest_series_parallel(TaskGraph const& graph) {
    if (graph.groups() == 0)
        return {};
    Reduction reduction(graph);
    return reduction.structure(reduction.with_cuts(reduction.all()));
}

std::vector<double> spans_of_nodes_ns(TaskGraph const& graph, SeriesParallel const& structure) {
    std::vector<double> spans;
    spans.reserve(structure.nodes.size());
    for (auto const& node : structure.nodes) {
        double span = 0;
        if (node.kind == Kind::group)
            for (double const time : graph.times_of(node.group))
                span = std::max(span, time);
        for (std::uint32_t const child : node.children)
            span = node.kind == Kind::series ? span + spans[child] : std::max(span, spans[child]);
        spans.push_back(span);
    }
    return spans;
}

double span_ns(TaskGraph const& graph, SeriesParallel const& structure) {
    auto const spans = spans_of_nodes_ns(graph, structure);
    return spans.empty() ? 0 : spans.back();
}

}  // namespace parcast
