// The account of a task graph's run, exact to the times of the graph (Adve 1993, chapter 4).

#pragma once

namespace parcast {

// Processor time of a task graph's run that was no CPU time of tasks, exact to the times of the graph.
struct LostTime {
    double idle_ns = 0;
    double latency_ns = 0;     // delay that a task has alone
    double contention_ns = 0;  // delay that others add
    double overhead_ns = 0;    // fetching

    friend bool operator==(LostTime const&, LostTime const&) = default;
};

}  // namespace parcast
