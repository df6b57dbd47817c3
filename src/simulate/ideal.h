// Processor sharing: n running threads progress at rate min(1, P/n) each, as if slices were infinitely
// small, slowed down by the rate law. Ignores affinity, priorities, costs and spinning. At one instant
// threads act in the order of their ids.
//
// Cost: O(log threads) an operation; an operation that comes before every other event costs O(1).

#pragma once

#include "simulate/run_under.h"

namespace parcast::simulate {

template <>
Run run_under(IdealScheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options);

}  // namespace parcast::simulate
