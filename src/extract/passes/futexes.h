// Futexes behind `syscall`: std::atomic::wait, latch, barrier, counting_semaphore of libstdc++.
//
// As conditions (conditions.h), but every wait that returned is a wait of its own: two phases of a barrier
// with little work in between look like a predicate that was false, so nothing is put together. A wait
// that failed found its value changed and did not wait.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

void plan_futexes(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
