// The reference graphs in whole ns, so that ties are exact: a unit of theirs is a microsecond.

#pragma once

#include <cmath>
#include <vector>

#include "support/reference_graphs.h"

namespace parcast::model {

inline constexpr double unit_ns = 1000;

inline TaskGraph in_ns(TaskGraph graph) {
    for (auto& time : graph.cpu_ns)
        time = std::round(time * unit_ns);
    return graph;
}

inline TaskGraph graph_of(std::vector<double> const& times, std::vector<reference::Edge> const& edges) {
    return in_ns(reference::graph_of(times, edges));
}

inline TaskGraph fork_join(std::vector<double> const& times) {
    return in_ns(reference::fork_join(times));
}

}  // namespace parcast::model
