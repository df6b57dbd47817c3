// Joins by a thread that holds a mutex which the joined thread still needs.
//
// In the recording such a join returned, so the joined thread had left the mutex for the last time before the
// joiner took it. That order was the scheduler's doing (a thread is joined because a flag under the mutex says
// that it is done, as in pigz), and in the replay another thread may be done first. The replay therefore lets
// go of the mutex while it waits, and takes it again: the joiner cannot keep the thread that it waits for from
// ending. Read locks and locks that the joined thread never takes stay held.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// REQUIRES: plan_threads and plan_locks have run.
void release_mutexes_during_joins(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
