// A task graph in SimGrid (Casanova, Legrand et al.), the simulator of distributed systems that Debian has:
// an actor for each processor, which takes tasks from one queue and computes on a host of its own. This
// was the fastest way to run a task graph there.

#pragma once

#include <cstdint>
#include <optional>

#include "program/task_graph.h"

namespace parcast::bench {

// Whether SimGrid was there when this was built.
extern bool const has_simgrid;

struct SimgridRun {
    double time_ns = 0;  // predicted
    double cpu_s = 0;    // for the simulation alone, not for making the actors
};

// None if it failed. REQUIRES: has_simgrid; groups of one task.
std::optional<SimgridRun> run_in_simgrid(TaskGraph const& graph, std::uint32_t processors);

}  // namespace parcast::bench
