// When would the threads that take handed-out work have come for their first piece, with a CPU each? In the time of
// the recording, since that is common to all.
//
// A thread that waits goes on when it is released. On one CPU it returns when it gets the CPU, a time slice or more
// later, and the one that released it takes work meanwhile. So the clock of each thread is followed from its
// creation on: its CPU time, sleeps and I/O move it on, a wait in which it blocked sets it to its release, a wait
// that found what it came for to the release if that is later. The release is the last arrival, signal, wake or
// post on the object while the thread waited; if none was recorded then (joins; libgomp's thread begins before the
// one that started it can say so) it is the return. Waiting for locks is left out.

#pragma once

#include <span>

#include "extract/hand_outs.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Fills in `arrival_ns` of all takers. REQUIRES: every pass of the plan is done.
// Cost: O(events of the takers log r + n log n) for n releases of all objects, r of one.
void note_arrivals(Timeline const& recorded, Plan const& plan, std::span<HandOut> hand_outs);

}  // namespace parcast::extract
