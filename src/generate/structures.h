// One function a structure, each in a file of its own. Private to this room.

#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generate/random.h"
#include "program/task_graph_builder.h"

namespace parcast::generate {

TaskGraph mp3d(std::uint32_t particles, Random random);
TaskGraph psim(std::uint32_t nodes, Random random);
TaskGraph locusroute(std::uint32_t wires, Random random);
TaskGraph polyroots(std::uint32_t degree, Random random);
TaskGraph dynprog(std::uint32_t length, Random random);

inline constexpr double microsecond_ns = 1e3;
inline constexpr double millisecond_ns = 1e6;
inline constexpr double second_ns = 1e9;

// A group after others.
inline TaskGroupId add(TaskGraphBuilder& builder, std::string name, std::vector<double> const& times_ns,
                       std::span<TaskGroupId const> after = {}) {
    auto const group = builder.add_group(times_ns);
    builder.name(group, std::move(name));
    for (auto const before : after)
        builder.precede(before, group);
    return group;
}

// Requests to the bus of the Sequent Symmetry per ns: he measured this many cycles of 100 ns of CPU time
// between two of them (table 3.2, smaller input, 16 processors). Their kinds are not given: all are reads of
// memory.
inline void use_bus(TaskGraphBuilder& builder, TaskGroupId group, double cycles_between) {
    builder.use(group, "bus.rate", 1 / (100 * cycles_between));
}

// Around a mean, by up to `spread` of it to either side. Whole ns, so that sums are exact.
inline std::vector<double> times_around(Random& random, std::size_t count, double mean_ns, double spread) {
    std::vector<double> times(count);
    for (auto& time : times)
        time = std::round(mean_ns * random.between(1 - spread, 1 + spread));
    return times;
}

}  // namespace parcast::generate
