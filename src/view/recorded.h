// A recording itself as an execution in the page.

#pragma once

#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "timeline/timeline.h"
#include "view/sections.h"

namespace parcast::view {

// What the threads of a recording did on their one CPU, as intervals.
//
// A recording knows when a thread arrived at each call and returned from it, and how much CPU time it used in
// between, but not when it was preempted. So each stretch between two calls, and each call, is a window in
// which a known amount of CPU time has to fit, and the CPU served one window at a time. Serving the window
// that ends first finds a schedule that fits all of them if there is one (Jackson 1955, Dertouzos 1974:
// earliest deadline first), and the real one was one. What it shows is exact where a thread was not switched
// out, and one of several possible orders where it was: sums are those of the recording.
//
// Assumptions: (1) One CPU. (2) CPU time that does not fit into its window, by what clocks differ, is cut
// off. (3) A thread that is not on the CPU is ready between calls; within a call it waits for what the call
// is about, also while it has been released and waits for the CPU.
//
// Rows as in IntervalColumns, without releasers. REQUIRES: a recorded timeline for which check() holds.
// Cost: O(events * log(threads)) time.
IntervalColumns recorded_intervals(Timeline const& recorded);

// A recording as an execution, so that the page shows what was measured in the same way as what is predicted:
// its intervals, its accounts by the same rules, and its events as the operations that they are.
struct RecordedExecution {
    Run run;  // its timeline is of origin recorded; no critical path, and no interval has a releaser
    ThreadProgram program;  // an operation an event, at run.timeline->arrivals; not to be replayed
};

// REQUIRES: a recorded timeline for which check() holds.
RecordedExecution recorded_execution(Timeline const& recorded);

// The same as bytes (docs/formats/execution.md).
Bytes recorded_execution_bytes(RecordedExecution const& execution);
Bytes recorded_execution_bytes(Timeline const& recorded);

}  // namespace parcast::view
