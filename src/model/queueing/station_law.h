// Laws of contention for what tasks share: a closed queueing network whose customers are the running tasks. A
// task computes and now and then visits a station; the parameter "NAME.rate" of its group says how often, in
// visits per ns of its CPU time.
//
// Tasks that use the stations alike are one class of customers. With one class the network is solved exactly;
// with several exactly too, as long as the combinations of their numbers are few, else approximately.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "machine/memory.h"
#include "machine/rates.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

// The memory is the station "memory"; its rate is resources.accesses_per_us where the graph has none. A bus
// is shared_bus.h: "bus.rate" requests per ns of CPU time, and the shares "bus.invalidate" of requests,
// "bus.write_back" and "bus.from_cache" of reads. On a bus all running tasks are taken as alike: the mean
// rate, and shares weighted by it.
// Errors: those of check(SharedResources); inconsistent for a station whose rate nothing says, and for a task
// that would spend more than its whole CPU time at stations whose time is in it; out_of_range for a share
// above 1.
Result<ContentionLaw> station_law(TaskGraph const& graph, SharedResources const& resources);

// Locks, with the parameters of lock_parameters.h: how often a task takes each, and for how much CPU time.
// Each is a queue M/M/1//K with the running tasks that use it as sources, as if nobody waited for the others;
// times of different tasks are averaged by use. Errors: inconsistent (a task that holds a lock for more than
// its CPU time, a graph that says nothing of a lock).
Result<ContentionLaw> lock_law(TaskGraph const& graph);

// For programs that are no task graphs: what k = 1, 2, ... processors that all access the memory at the same
// rate do to each other, as rates of a machine. The share of memory is what of a processor's time alone its
// accesses take. Errors: those of station_law; inconsistent without a memory or a rate, and for a bus.
Result<Rates> memory_rates(SharedResources const& resources, Rates const& others, std::uint32_t processors);

}  // namespace parcast::model
