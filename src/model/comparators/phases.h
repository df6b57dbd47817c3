// The phases of a fork-join program: sets of tasks of which each waits for all tasks of the set before. What
// the theories of independent tasks are applied to, one phase after another.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

struct Phase {
    std::vector<TaskGroupId> groups;  // ascending
    std::size_t tasks = 0;
};

// REQUIRES: the graph passes its check. Errors: unsupported, with two groups of neighbouring phases that do
// not wait for each other. Cost: linear.
Result<std::vector<Phase>> phases_of(TaskGraph const& graph);

// CPU times by task, made longer by the contention of min(processors, tasks) tasks of each phase, classes in
// proportion. Without a law: as they are. Errors: those of the law; unsupported for a law on a graph without
// phases, where it is not known who runs beside whom.
Result<std::vector<double>> contended_times(TaskGraph const& graph, std::uint32_t processors,
                                            ContentionLaw const* contention);

}  // namespace parcast::model
