// The mean time of a series-parallel task graph with exponential task times, whatever the processors (Mak and
// Lundstrom 1990, the high-level part): what follows each other adds up, what is parallel takes its maximum.
//
// Processors and the order of tasks are not seen. So with more tasks than processors the original graph is
// optimistic, and the condensed one, in which the tasks of a process follow each other, pessimistic (their
// sum is less variable than exponential). The thesis does not say how times of composite nodes are
// distributed: both readings are here.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "model/comparators/maximum.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

enum class Composite : std::uint8_t {
    exponential,  // again, with its mean
    gamma,        // with its mean and variance
};

inline constexpr std::size_t most_mak_lundstrom_tasks = 200'000;

// REQUIRES: the graph passes its check. With contention, tasks are longer by that of min(P, N) running tasks
// of each phase (phases.h). Errors: unsupported (not series-parallel, with what is left of the graph;
// contention without phases), out_of_range (too many tasks), those of the law. Cost: time
// O(d edges log(edges)) for series-parallel graphs nested d deep, and the maxima; where edges that follow
// from others hide the structure, the square of the groups that are left (at most 2000, else refused).
Result<Time> mak_lundstrom(TaskGraph const& graph, Composite composite, std::uint32_t processors = 1,
                           ContentionLaw const* contention = nullptr);

}  // namespace parcast::model
