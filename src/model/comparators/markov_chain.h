// The time of a task graph with exponential task times on P processors with a FIFO queue, exactly: a Markov
// chain whose states are the running tasks and the queue in its order (Thomasian and Bay 1986). What is done
// follows from these. Moments are carried from each state to the next, so that nothing is solved.
//
// The states grow beyond all bounds: N independent tasks on P processors have C(N, 1) + ... + C(N, P). So it
// is for small graphs, or condensed ones.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "model/comparators/markov_states.h"
#include "model/comparators/maximum.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

inline constexpr std::size_t most_markov_groups = 4096;

struct MarkovSolution {
    Time time;
    std::size_t states = 0;  // beside the last one, in which all is done
};

bool is_too_large(MarkovSize const& size);

// REQUIRES: the graph passes its check, processors >= 1. Newly ready tasks enter the queue in ascending
// order; tasks that take no time end at once. With contention, running tasks are slowed as the law says of
// the state. Errors: out_of_range for more states than most_markov_states, with their number or what it is at
// least, or more groups than most_markov_groups; those of the law. Cost: time states * P * P, memory the
// states with two numbers of done tasks; before that, to count the states, a second or two at most.
Result<MarkovSolution> markov_chain(TaskGraph const& graph, std::uint32_t processors,
                                    ContentionLaw const* contention = nullptr);

}  // namespace parcast::model
