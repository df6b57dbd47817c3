// Which series and parallel compositions is a task graph? A graph is series-parallel if it can be reduced to
// one node by taking two nodes together that follow each other and nothing else, or nodes with the same
// predecessors and the same successors; precedences that follow from others do not count.
//
// Source: Valdes, Tarjan and Lawler, "The recognition of series parallel digraphs", 1982 (their minimal
// vertex series-parallel graphs); here by plain reduction.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// A tree, as a list: children are before their parents, the root is the last. No node: an empty graph.
struct SeriesParallel {
    enum class Kind : std::uint8_t { group, series, parallel };
    struct Node {
        Kind kind = Kind::group;
        TaskGroupId group;                    // of a group: its tasks are parallel
        std::vector<std::uint32_t> children;  // of a composition: two or more, of a series in their order
    };
    std::vector<Node> nodes;
};

// REQUIRES: the graph passes its check. Errors: unsupported (not series-parallel: two tasks that show it).
// Cost: of graphs nested d deep time d * edges * log(edges); where edges that follow from others hide the
// structure, the square of the groups that are left (at most 2000, else refused).
Result<SeriesParallel> series_parallel(TaskGraph const& graph);

// The same for any graph. Where it is stuck, everything up to some place goes before everything behind it, at
// the place where that makes the critical path longest the least, until the rest is series-parallel. So
// nothing of the graph's order is lost, and the critical path is never shorter.
SeriesParallel closest_series_parallel(TaskGraph const& graph);

// The critical path of each node, and of the whole, ns: series add up, and the longest of what is parallel
// counts.
std::vector<double> spans_of_nodes_ns(TaskGraph const& graph, SeriesParallel const& structure);
double span_ns(TaskGraph const& graph, SeriesParallel const& structure);

}  // namespace parcast
