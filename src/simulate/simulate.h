// When does each operation run? Replays a program on a machine by discrete-event simulation.
//
// Assumptions (named in every report): (1) the CPU time between two operations is that of the recording,
// but for what the machine's rates say about busy processors; it does not depend on where it runs. (2)
// Threads do on the target what they did in the recording (Broberg 2002, paper VIII), only at other times;
// what their waits take is for Pairing. (3) Operations other than waiting cost nothing beyond what was
// recorded and what the machine's costs say.
//
// Same program, machine and options give the same run, bit for bit, on every host and whatever runs in
// other threads of this process: events are ordered by (time, kind, sequence), all integers.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "machine/machine.h"
#include "machine/thread_plan.h"
#include "program/checked_program.h"
#include "program/thread_program.h"
#include "semantics/operations.h"
#include "simulate/variation.h"
#include "timeline/interval_sink.h"
#include "timeline/run.h"

namespace parcast::simulate {

using semantics::cuts_lists;
using semantics::Pairing;

struct ReplayOptions {
    bool with_timeline = false;  // intervals and the critical path
    bool with_arrivals = false;  // when each operation was executed; only with a timeline
    bool with_causes = false;    // what let whom go on. REQUIRES: the run is unbounded
    bool with_order = false;     // Run::order
    // Takes the intervals as they close, with or without a timeline; null: nobody does.
    IntervalSink const* intervals = nullptr;
    Pairing pairing = Pairing::any;
    // By thread; empty: as the program says. IdealScheduler ignores it. REQUIRES: it lives as long as the
    // run.
    std::span<PlannedThread const> plan = {};
    // Null: as the program says. REQUIRES: it lives as long as the run.
    Variation const* variation = nullptr;
};

// Errors: out_of_range (the machine, the program is too large for it, or a plan names a CPU that it has not).
// Cost: O(operations * log(threads)) time; memory O(threads + objects) beyond the program.
Result<Run> run(CheckedProgram const& program, Machine const& machine, ReplayOptions const& options = {});
// Checks the program first. Errors: those of check(program), too.
Result<Run> run(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options = {});

// The program with a processor for every thread, no costs and no sharing: completion is the span
// (critical path), accounts.path_busy its CPU part. `with_causes`: also Run::causes, unless it deadlocks.
// Threads of OpenMP teams have to be woken unless `waiting` lets them spin.
Result<Run> run_unbounded(CheckedProgram const& program, Pairing pairing = Pairing::any,
                          bool with_causes = false, Waiting const& waiting = {});

}  // namespace parcast::simulate
