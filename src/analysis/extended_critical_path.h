// The extended critical path: by how much the program gets shorter on a number of CPUs for each nanosecond
// that a piece of its work gets shorter. The weight of a piece is 1 if all of it shows in the completion,
// 0 if none does, and negative if the program would be slower for it.
//
// The program runs with a processor for every thread; where n threads run at once on P CPUs, time is
// stretched by phi(n) = max(n / P, 1). The completion is the integral of phi over the run, and the weight of
// a piece the derivative of that for shortening it, where waits keep their partners and locks their order.
// When a piece gets shorter, exactly those events come earlier that it dominates in the graph of causes.
//
// What it is not: a prediction. Sleeping is stretched too, and the order of locks is that of the unbounded
// run. Where several paths are equally long, shortening one of them alone brings nothing.
//
// Weights are whole multiples of 1 / P, and are given multiplied by P. On a machine whose processors slow
// each other down, phi(n) is divided by their speed while min(n, P) of them are busy; weights are real
// numbers then.
//
// Source: Broberg 2002, paper VI; without its simulation for each segment: shared dominators, all at once.
// Cost: O(events * log(events at one instant) * log(events)) for each count. Memory: 8 bytes an event.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/cause_graph.h"

namespace parcast::analysis {

template <class Number>
struct WeightedEvents {
    Number completion_times_cpus = 0;       // ns * CPUs
    std::vector<Number> weight_times_cpus;  // by event: of the work, or the delay, that it ends
};

class ExtendedCriticalPath {
public:
    // The graph is the caller's, for the life of this.
    explicit ExtendedCriticalPath(CauseGraph const& graph) : graph_(graph) {}

    // REQUIRES: cpus >= 1.
    WeightedEvents<std::int64_t> on(std::uint32_t cpus) const;
    // speeds[k - 1]: of each of k busy processors, the last one of all larger k, too. REQUIRES: not empty.
    WeightedEvents<double> on(std::uint32_t cpus, std::span<double const> speeds) const;

private:
    template <class Number, class Phi>
    WeightedEvents<Number> weighted_by(Phi phi) const;
    template <class Number, class Phi>
    void add_gains(EventNumber first, EventNumber end, std::int64_t running, Phi phi,
                   std::vector<Number>& gains) const;

    CauseGraph const& graph_;
};

}  // namespace parcast::analysis
