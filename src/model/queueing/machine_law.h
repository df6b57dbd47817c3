// How the busy processors of a machine delay each other, as a law for the tasks of a graph.

#pragma once

#include <optional>

#include "core/result.h"
#include "machine/machine.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

// By the graph's own list of speeds (program/speed_parameters.h); else by what the machine's CPUs share,
// if it says that (station_law.h); else by its rates. None: they do not delay each other. Errors: those of
// station_law; inconsistent where both the graph and the machine's shared resources say it.
Result<std::optional<ContentionLaw>> machine_law(TaskGraph const& graph, Machine const& machine);

// By the speeds of each group for the number of running tasks. None: the graph has none.
std::optional<ContentionLaw> speeds_law(TaskGraph const& graph);

// All tasks are alike: each of k that run works at the speed that the rates say for k busy processors.
ContentionLaw rates_law(Rates const& rates);

}  // namespace parcast::model
