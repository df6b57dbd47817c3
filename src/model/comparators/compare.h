// All stochastic theories side by side, for one task graph on one number of processors: what each says, or
// why it says nothing.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "answer/theories.h"
#include "machine/ready_policy.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

// How the graph is executed by the model that they are compared with. Kruskal-Weiss sees only the
// policy's batch and what taking one costs; static policies are batches of an even share.
struct Schedule {
    ReadyTasks tasks;
    ContentionLaw const* contention = nullptr;  // lent
};

// By number of processors, and the theories in one order. REQUIRES: the graph passes its check, processors
// >= 1. Cost: that of the Markov chains, which are refused for more states than most_markov_states; a theory
// that does not see the processors is asked once, and the Markov chain not again on more processors than
// those on which it explored too many states.
std::vector<std::vector<TheoryTime>> compare(TaskGraph const& graph,
                                             std::span<std::uint32_t const> processors,
                                             Schedule const& schedule = {});

}  // namespace parcast::model
