// Timed waits that ran out only since other programs had the CPU.
//
// A thread waits with a time limit of 8 s; another one would let it go on after 5, had it not shared its CPU
// with a compiler. The limit stays, the work that it is compared with took longer. So no limit of such a wait
// is part of the program: it takes no time, and what the thread did when it had run out comes at once.
//
// A wait is late if the program's own time (program_time.h) from its beginning until the thread's next wait
// for the same, at the same place, was satisfied by another thread is less than nine tenths of the limit.
// Waits below a hundredth of the recording are left as they are, and so are all if other programs had less
// than a fifth of its time: what threads wait for unseen looks like that, too.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// REQUIRES: channels and waits are planned. Cost: O(events) of the threads that wait with time limits, and
// O(n log t) for all n events of t threads if one of these waits is so long.
void drop_late_timeouts(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
