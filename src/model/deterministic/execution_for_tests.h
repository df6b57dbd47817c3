// Executions of task graphs for the tests of this folder, in whole microseconds.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "model/deterministic/deterministic.h"
#include "model/reference_graphs.h"

namespace parcast::model {

inline constexpr double unit_ns = 1000;

// The reference graphs in whole ns, so that ties are exact.
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

inline Execution must_execute(TaskGraph const& graph, std::uint32_t processors, Policy const& policy,
                              Options const& options = {}) {
    auto result = execute(graph, processors, policy, options);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? *result : Execution{};
}

inline Policy policy(std::string_view text) {
    auto result = parse_policy(text);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return *result;
}

}  // namespace parcast::model
