// For how much of an execution each lock was held, in wall time: from the instant at which a thread has it to
// its release, whatever the thread does meanwhile, waiting for another lock or a device included. A
// reader-writer lock is held while anybody has it.
//
// A thread that had to wait for a lock has it when it stops waiting; under a lock policy that lets others in
// first this is when it got it at last. A wait on a condition releases its mutex, and takes it again at its
// end. Nested locks of one thread are one holding.
//
// Cost: O(operations + intervals) and O(n log n) in the holdings of a reader-writer lock.

#pragma once

#include <vector>

#include "core/time.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// By ObjectId; 0 for what is no lock. REQUIRES: the timeline is of this program, with intervals and arrivals.
std::vector<Duration> held_times(ThreadProgram const& program, Timeline const& run);

}  // namespace parcast::analysis
