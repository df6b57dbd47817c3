// Random task graphs for tests: groups of one to `largest_group` tasks with whole times, each waiting for
// some of the groups before it. The same seed gives the same graph everywhere.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "program/task_graph_builder.h"

namespace parcast {

struct RandomGraph {
    std::uint64_t seed = 1;
    std::uint32_t groups = 20;
    std::uint32_t largest_group = 1;
    std::uint32_t most_predecessors = 3;
    std::uint64_t longest_ns = 1'000'000'000;  // so long that no two tasks finish together

    TaskGraph make() const {
        std::mt19937_64 random(seed);
        TaskGraphBuilder builder;
        for (std::uint32_t group = 0; group < groups; ++group) {
            std::vector<double> times(1 + random() % largest_group);
            for (auto& time : times)
                time = static_cast<double>(1 + random() % longest_ns);
            auto const added = builder.add_group(times);
            for (auto left = group == 0 ? 0 : random() % (most_predecessors + 1); left > 0; --left)
                builder.precede(TaskGroupId(random() % group), added);
        }
        return std::move(builder).finish();
    }
};

}  // namespace parcast
