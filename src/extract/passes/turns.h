// Who took each lock, unit and place at a barrier, in the order of the recording: what the ordered model
// (semantics::Pairing) replays.
//
// 1. A lock is taken when the call returns, and again when a wait that gave it up returns; a unit of a
//    semaphore likewise. A barrier is arrived at when it is called.
// 2. Whoever opens a barrier that the program built from a condition did not wait there. In the replay
//    everybody gives up the mutex and takes it again.
// 3. Order is of no importance, and not kept, where one thread takes all, or where each of a barrier's
//    participants is a thread of its own. The kernel's lock of memory areas has only readers.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// REQUIRES: every other pass is done. Cost: O(events + s log threads), where threads took turns s times.
void plan_turns(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
