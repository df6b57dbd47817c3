// Which program explains this recording? Turns the events of a measured timeline into an operation list
// per thread, whose work is CPU time (never wall time) and whose waits are causes (never durations),
// but for I/O, sleeps and timed-out waits. Rules: docs/replay.md, after Broberg 2002, papers I and II.

#pragma once

#include <cstdint>

#include "core/result.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// What becomes of work that the threads were handed out at run time (hand_outs.h), and of the page faults
// that whoever comes first has for all (first_touches.h).
enum class Assignment : std::uint8_t {
    anew,      // each piece to the thread that is free first
    recorded,  // to the thread that got it on one CPU
};

struct ExtractionOptions {
    bool subtract_recording_cost = true;  // take the recorder's own cost out of the work
    Assignment assignment = Assignment::anew;
};

// Errors: inconsistent (not a recorded timeline, no events).
// Cost: O(events * log(threads)) time, 12 bytes an operation or more (operation_list.h), meanwhile 1.5 or
// 18 an event. The events are freed while the operations are written: a large recording that is moved in and
// its program are never in memory both.
Result<ThreadProgram> program_from(Timeline recorded, ExtractionOptions const& options = {});

}  // namespace parcast::extract
