// Joins by a thread that holds a mutex which the joined thread uses as well.
//
// Such a join can only have chosen a thread that was known to be done, or the program would deadlock: a flag
// under the mutex said so, as in pigz, which waits until some thread has set its flag and joins that one. In
// the replay another thread may be the first that is done. So (1) it joins any thread that has ended, and (2)
// the replay lets go of the mutex while it waits, so that the joiner never keeps a thread from ending that
// had ended in the recording. Read locks, and locks that the joined thread never takes, stay held.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// REQUIRES: plan_threads and plan_locks have run.
void plan_joins_under_locks(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
