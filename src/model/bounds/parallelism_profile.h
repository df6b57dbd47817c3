// How many tasks of a graph would run at each instant if there were a processor for each: the profile of its
// parallelism (Eager, Zahorjan and Lazowska 1989; Adve 1993, section 2.6).

#pragma once

#include <cstdint>
#include <vector>

#include "program/task_graph.h"

namespace parcast::model {

struct ParallelismLevel {
    std::uint32_t tasks = 0;  // that run at once
    double time_ns = 0;       // for how long in all
};

struct ParallelismProfile {
    double work_ns = 0;                    // time on one processor
    double span_ns = 0;                    // time on any number, which is the sum over the levels
    std::vector<ParallelismLevel> levels;  // in rising number of tasks; none is 0

    // In a graph that takes no time both are 1.
    double average() const { return span_ns > 0 ? work_ns / span_ns : 1; }
    std::uint32_t most() const { return levels.empty() ? 1 : levels.back().tasks; }
};

// REQUIRES: the graph passes its check. Instants are sums of task times, equal ones up to rounding: a level
// that lasts less than 1e-12 of the span is not counted. Cost: time tasks * log(tasks), memory linear.
ParallelismProfile profile_of(TaskGraph const& graph);

}  // namespace parcast::model
