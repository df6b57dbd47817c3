// How a program's threads alternate between processing and waiting for the outside world: what the renewal
// model of random delays (model/renewal/renewal.h) is fed with. Delays are input, output, sleeping and waits
// that ran out, as the program has them: without the time in which a thread waited for the one recorded CPU.
// Waiting for other threads (joins, conditions, barriers, semaphores) begins a new interval. Locks, and
// semaphores that every thread posts as often as it waits for them, do not, and waiting for them is not seen,
// since on one CPU it is mostly somebody else's turn.

#pragma once

#include <vector>

#include "core/censored_sample.h"
#include "core/id.h"
#include "core/sample.h"
#include "program/thread_program.h"

namespace parcast::analysis {

// All in ns.
struct ThreadDelays {
    ThreadId thread;
    Sample cpu;      // of an interval between two synchronisations: its CPU time,
    Sample elapsed;  // and that with its delays
    CensoredSample
        processing;  // CPU time before a delay; cut off by the end of the interval after the last one
    Sample delay;
};

// Threads with a delay, in the order of their ids. Intervals without any work or delay are none.
// Cost: one pass over the operations; memory 16 bytes a delay and an interval.
std::vector<ThreadDelays> delays_between_synchronisations(ThreadProgram const& program);

}  // namespace parcast::analysis
