// The accounts of an executed task graph in whole ns: those of the processors, and of each task if the
// schedule was kept.

#pragma once

#include "model/deterministic/deterministic.h"
#include "program/task_graph.h"

namespace parcast::model {

// Whether each task of a kept schedule has a processor of its own while it runs: not under processor sharing
// with more processes than processors.
bool has_own_processors(GraphExecution const& execution);

// Conserved: what rounding leaves is with the processors that found no task. Latency and contention are work
// that was slowed. A task that takes less than a ns has an account of zeros.
// REQUIRES: execution.run.accounts has its processors, and idle.ready as it was counted.
void fill_accounts(TaskGraph const& graph, GraphExecution& execution);

}  // namespace parcast::model
