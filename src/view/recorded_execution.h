// A recording as an execution, so that the page shows what was measured in the same way as what is predicted:
// its intervals, its accounts by the same rules, and its events as the operations that they are.

#pragma once

#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "timeline/timeline.h"
#include "view/sections.h"

namespace parcast::view {

struct RecordedExecution {
    Run run;  // its timeline is of origin recorded; no critical path, and nobody is said to release anybody
    ThreadProgram program;  // an operation an event, at run.timeline->arrivals; not to be replayed
};

// REQUIRES: a recorded timeline for which check() holds.
RecordedExecution recorded_execution(Timeline const& recorded);

// The same as bytes (docs/formats/execution.md).
Bytes recorded_execution_bytes(RecordedExecution const& execution);
Bytes recorded_execution_bytes(Timeline const& recorded);

}  // namespace parcast::view
