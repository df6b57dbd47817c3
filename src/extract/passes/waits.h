// Waiting for the world outside: I/O, sleeps, child processes, and yields.
//
// 1. A sleep is a delay of the requested time, a yield a yield.
// 2. I/O waits as long as the recording lets us know (input_output of its descriptor). The recorded time of
//    a call is its CPU time, the wait for the device, and time in which the data was there but another
//    thread held the one CPU. The last part is not the device's: see processor_use.h for the estimate.
// 3. A call that was not interrupted did not wait.
// 4. Waiting for a child process is like I/O, without a descriptor.
// 5. A thread that was still alive at the end, and hands nothing to any other thread after some point, sleeps
//    and waits from there on for nobody: those delays are left out, since in the replay the program does not
//    end before its last thread (background threads with a timer would set the end).

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

void plan_waits(Timeline const& recorded, Plan& plan);

// Rule 5. REQUIRES: every other pass is done.
void drop_background_sleeps(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
