// Waiting by "sleep and look again".
//
// A thread that naps until a flag is set naps once more on any machine, not as often as it did on one CPU.
// Its row of naps becomes a wait for what ended it in the recording, and half a nap until it looks: the
// causes post a semaphore that the program does not have.
//
// 1. A row of naps: nap_rows.h. Whether it is waiting: evidence.h. Where that is open, each nap stays a
//    delay, and ThreadProgram::polling says so.
// 2. The cause, the first of these that happened between the last two looks: the thread that joins the
//    napping one has come there; all threads had come to rest, and then each thing that they did last is a
//    cause; the latest call that was hardly ever made between other looks; the latest call; how far the
//    thread was that had the CPU. None of them: the row stays as it is, and if that is a hundredth of the
//    recording, what ends it counts as open. Whoever had the CPU when a thread was cancelled in its last
//    nap (pthread_cancel) is the cause, and the thread looks no more.
// 3. A row that the process ended in has no cause (Outcome::cut_off, drop_background_sleeps).
// 4. Who naps while it holds a lock that others may need before they can do what it waits for: as it is. The
//    mutex of a timed wait on a condition is released, as there.
// 5. The looks' own CPU time comes before the wait, as on one CPU it mostly did.
// 6. Timed waits that ran out before the same wait from the same place was satisfied take no time: the thread
//    waits for who satisfies it, and what it did in between it does before. Unlike the looks of a chain
//    (conditions.h), it may do up to a twentieth of that time, such as a timer's work. Naps of a timer may
//    differ in length (nap_rows.cpp).

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Adds the semaphores to the recording's objects. REQUIRES: every pass that plans waits is done.
// Cost: O(events) of the threads that nap; where some wait, O(n log n) in calls that waited.
void plan_polling(Timeline& recorded, Plan& plan);

}  // namespace parcast::extract
