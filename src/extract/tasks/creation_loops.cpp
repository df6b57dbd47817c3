#include "extract/tasks/creation_loops.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace parcast::extract {

namespace {

// For each node, the only one before it and the only one after it.
struct OnlyNeighbours {
    std::vector<std::uint32_t> before_count;
    std::vector<std::uint32_t> after_count;
    std::vector<NodeId> before;
    std::vector<NodeId> after;

    explicit OnlyNeighbours(SegmentGraph const& graph)
        : before_count(graph.nodes.size()),
          after_count(graph.nodes.size()),
          before(graph.nodes.size(), NodeId::none()),
          after(graph.nodes.size(), NodeId::none()) {
        for (auto const& [from, to] : graph.edges) {
            note(before_count, before, to, from);
            note(after_count, after, from, to);
        }
    }

private:
    // The same edge twice is one neighbour.
    static void note(std::vector<std::uint32_t>& count, std::vector<NodeId>& only, NodeId node,
                     NodeId other) {
        if (count[node.index()] == 0 || only[node.index()] != other)
            ++count[node.index()];
        only[node.index()] = other;
    }
};

// Nodes that have become one (union-find; the segment that takes another one stands for both).
class Merger {
public:
    explicit Merger(std::size_t nodes) : into_(nodes) {
        std::iota(into_.begin(), into_.end(), std::uint32_t{0});
    }

    NodeId find(NodeId node) {
        auto index = node.value;
        while (into_[index] != index) {
            into_[index] = into_[into_[index]];
            index = into_[index];
        }
        return NodeId(std::size_t{index});
    }

    // False if they are one already.
    bool merge(NodeId node, NodeId into) {
        auto const from = find(node);
        auto const to = find(into);
        into_[from.index()] = to.value;
        return from != to;
    }

private:
    std::vector<std::uint32_t> into_;
};

struct Candidate {
    std::int64_t work_ns = 0;
    NodeId node;
    NodeId into;

    friend auto operator<=>(Candidate const&, Candidate const&) = default;
};

std::optional<Candidate> candidate_of(SegmentGraph const& graph, OnlyNeighbours const& only, NodeId node) {
    auto const& [work_ns, thread, follows_creation, precedes_join] = graph.nodes[node.index()];
    auto const is_of_thread = [&](NodeId other) { return graph.nodes[other.index()].thread == thread; };
    if (follows_creation && only.before_count[node.index()] == 1 && is_of_thread(only.before[node.index()]))
        return Candidate{work_ns, node, only.before[node.index()]};
    if (precedes_join && only.after_count[node.index()] == 1 && is_of_thread(only.after[node.index()]))
        return Candidate{work_ns, node, only.after[node.index()]};
    return std::nullopt;
}

// The nodes that are left, numbered anew, with the edges and locks of those that are part of them.
void rebuild(SegmentGraph& graph, Merger& merger) {
    std::vector<NodeId> number(graph.nodes.size(), NodeId::none());
    std::vector<SegmentNode> nodes;
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        if (merger.find(NodeId(index)) == NodeId(index)) {
            number[index] = NodeId(nodes.size());
            nodes.push_back(graph.nodes[index]);
            nodes.back().work_ns = 0;
        }
    }
    auto const renumbered = [&](NodeId node) { return number[merger.find(node).index()]; };
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        nodes[renumbered(NodeId(index)).index()].work_ns += graph.nodes[index].work_ns;
    for (auto& [before, after] : graph.edges) {
        before = renumbered(before);
        after = renumbered(after);
    }
    std::erase_if(graph.edges, [](auto const& edge) { return edge.first == edge.second; });
    for (auto& use : graph.locks)
        use.node = renumbered(use.node);
    graph.nodes = std::move(nodes);
}

}  // namespace

MergedSegments merge_creation_loops(SegmentGraph& graph) {
    OnlyNeighbours const only(graph);
    std::vector<Candidate> candidates;
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        if (auto const candidate = candidate_of(graph, only, NodeId(index)))
            candidates.push_back(*candidate);
    std::ranges::sort(candidates);
    auto const most_ns = most_lengthened * static_cast<double>(graph.time_ns);
    Merger merger(graph.nodes.size());
    MergedSegments merged;
    for (auto const& candidate : candidates) {
        if (static_cast<double>(merged.work_ns + candidate.work_ns) > most_ns)
            break;
        if (merger.merge(candidate.node, candidate.into)) {
            ++merged.segments;
            merged.work_ns += candidate.work_ns;
        }
    }
    if (merged.segments > 0)
        rebuild(graph, merger);
    return merged;
}

}  // namespace parcast::extract
