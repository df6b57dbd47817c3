// A queue a processor, after Linux: a fair class by virtual run time with slices, and SCHED_FIFO above it;
// placement on wake-up, preemption on wake-up, pulling by idle processors, periodic balancing, affinity.
// docs/schedulers.md says what each rule is and what a real Linux does otherwise.
//
// Cost: O(log processors + log waiting threads) an operation; an operation that comes before every other
// event costs O(1). An idle processor's search for work costs O(processors), if any thread waits at all.

#pragma once

#include "simulate/run_under.h"

namespace parcast::simulate {

template <>
Run run_under(LinuxScheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options);

}  // namespace parcast::simulate
