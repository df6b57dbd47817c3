// Small task graphs for tests, in tasks from 0. Work, critical path and all that the
// theories say of them were computed twice by other programs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "program/task_graph.h"
#include "program/task_graph_builder.h"

namespace parcast::model::reference {

// Tasks one by one, and pairs (before, after).
struct Edge {
    std::size_t before;
    std::size_t after;
};

inline TaskGraph graph_of(std::vector<double> const& times, std::vector<Edge> const& edges) {
    TaskGraphBuilder builder;
    for (double const time : times)
        builder.add_task(time);
    for (Edge const& edge : edges)
        builder.precede(TaskGroupId(edge.before), TaskGroupId(edge.after));
    return std::move(builder).finish();
}

// The first task forks into all others but the last, which joins them; single tasks, not a group.
inline TaskGraph fork_join(std::vector<double> const& times) {
    std::vector<Edge> edges;
    for (std::size_t i = 1; i + 1 < times.size(); ++i) {
        edges.push_back({0, i});
        edges.push_back({i, times.size() - 1});
    }
    return graph_of(times, edges);
}

// Tasks without any precedence.
inline TaskGraph independent(std::vector<double> const& times) {
    return graph_of(times, {});
}

inline TaskGraph g1_fork_join() {
    return fork_join({2, 5, 4, 3, 3, 2, 2, 1, 7, 1});
}

inline TaskGraph g2_lpt_worst() {
    return fork_join({0, 5, 5, 4, 4, 3, 3, 3, 0});
}

inline TaskGraph g3_graham() {
    return graph_of({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}});
}

inline TaskGraph g4_wavefront() {
    std::vector<Edge> edges;
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            std::size_t const task = 4 * row + column;
            if (row > 0)
                edges.push_back({task - 4, task});
            if (column > 0)
                edges.push_back({task - 1, task});
        }
    }
    return graph_of(std::vector<double>(16, 1.0), edges);
}

inline std::vector<Edge> edges_that_are_not_series_parallel() {
    return {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 5}};
}

inline TaskGraph g5_not_series_parallel() {
    return graph_of({1, 3, 2, 4, 2.5, 1.5}, edges_that_are_not_series_parallel());
}

inline TaskGraph g6_polyroots_tail() {
    std::vector<double> times{2};
    for (int i = 0; i < 28; ++i)
        times.push_back(3 + 0.1 * ((7 * i) % 30));
    times.insert(times.end(), {12, 15, 0.5});
    return fork_join(times);
}

inline TaskGraph g7_two_phases() {
    std::vector<Edge> edges;
    for (std::size_t i = 1; i <= 6; ++i) {
        edges.push_back({0, i});
        edges.push_back({i, 7});
        edges.push_back({7, 7 + i});
        edges.push_back({7 + i, 14});
    }
    return graph_of({1, 6, 2, 2, 2, 2, 2, 1, 1, 1, 1, 5, 5, 3, 2}, edges);
}

inline TaskGraph g8_regions() {
    return fork_join({0.5, 9, 8, 7, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0.5});
}

inline TaskGraph g9_split_loops() {
    return fork_join({0, 1, 1, 1, 1, 4, 4, 4, 4, 3, 3, 3, 3, 1});
}

inline TaskGraph g10_chain() {
    return graph_of({2, 2, 2, 6, 1, 1, 3}, {{0, 1}, {1, 2}, {0, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 6}, {5, 6}});
}

// A process a row.
inline TaskGraph wavefront_in_rows() {
    auto graph = g4_wavefront();
    for (std::uint32_t task = 0; task < 16; ++task)
        graph.process.push_back(task / 4);
    return graph;
}

// The long tasks with the shortest, then those of 2, then those of 3.
inline TaskGraph regions_in_queues() {
    auto graph = g8_regions();
    graph.queue = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0};
    return graph;
}

// One loop for all processes, one for the even and one for the odd.
inline TaskGraph split_loops() {
    auto graph = g9_split_loops();
    graph.subset = {0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0};
    return graph;
}

}  // namespace parcast::model::reference
