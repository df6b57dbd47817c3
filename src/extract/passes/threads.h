// Creating, joining and ending threads, and their scheduling parameters.
//
// 1. A thread's list starts at the first `create` that names it. A thread whose creation was not recorded
//    is created by its parent, or by the initial thread, at the first event after it began.
// 2. A join that succeeded waits for the joined thread; one that failed is a boundary; a timed one that
//    timed out is a delay of the requested time. A join of an unknown thread is a delay.
//    Joins under a lock: joins.h.
// 3. A thread may set its own affinity and priority at any time. What another thread sets for it counts if
//    it had not begun yet (its initial parameters), and is left out, with a doubt, if it ran already.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

void plan_threads(Timeline const& recorded, Plan& plan);
void plan_parameters(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
