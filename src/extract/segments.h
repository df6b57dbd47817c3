// CPU time to work: cuts the CPU time of every thread into the work before its operations.
//
// 1. Work is CPU time, never wall time: what the thread used between its events.
// 2. CPU time inside a call that works for the program (I/O, yields, creating threads and processes, waking
//    the others as the last to arrive at a barrier) is work before the operation: the CPU part first, then
//    the wait. What the plan knows to be waking the others at a barrier is left out: it is work of whoever
//    comes last in the replay.
// 3. CPU time inside a call that waits (locks, conditions, joins, sleeps) is dropped: it is what blocking
//    and being woken cost the kernel and the recorder on the recorded machine. In the replay the thread may
//    not block there at all, and if it does, the machine's costs say what that takes.
// 4. The recorder's own cost of each event (timeline/recording_cost.h) is taken out of the segment before it.
//    A segment that is shorter leaves a deficit to the next one, so the sum stays right; what the last
//    segment of a thread cannot bear is `overdrawn_ns`. In a row of operations of one lock the lumps that
//    come of it are spread: bursts.h.
//
// Law: sum of work = sum of CPU time - dropped - waking - recorder + overdrawn, exactly.

#pragma once

#include <cstdint>
#include <vector>

#include "extract/plan.h"
#include "program/thread_program.h"
#include "timeline/recording_cost.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct CpuBalance {
    std::int64_t dropped_ns = 0;
    std::int64_t waking_ns = 0;
    std::int64_t recorder_ns = 0;
    std::int64_t overdrawn_ns = 0;
};

// Whether CPU time inside such a call is the program's work (rule 2).
bool works_inside(Event const& event);

// Events at which a list can be cut, by thread, in rising order; and after writing, where: the operations
// from positions[thread][i] on are those of events[thread][i] and later. Both may be empty.
struct Cuts {
    std::vector<std::vector<std::uint32_t>> events;
    std::vector<std::vector<std::uint32_t>> positions;
};

// Appends a list for every thread to `program`. `prices`: of what recording cost, to be taken
// out of the work. Work before a cut is an operation of its own; fills in the
// positions. The plan's steps and the events are freed on the way.
CpuBalance write_lists(Timeline& recorded, Plan& plan, RecordingPrices const& prices, Cuts& cuts,
                       ThreadProgram& program);

}  // namespace parcast::extract
