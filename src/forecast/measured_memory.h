// What shared memory takes from a program on several CPUs, by runs that measured it there (record --measure),
// as rates of the target. A recording on one CPU does not have it.
//
// 1. A unit of the program's own work takes `growth` times as long while `cpus` CPUs are busy. It is the
//    growth of user CPU time, as far as no replay without it foresees it (spinning, waiting at hot locks),
//    and as far as the run took longer by it: threads that spin where they had to wait anyway lose nothing.
// 2. Memory that gives its whole bandwidth to however many ask for it makes work at most as many times slower
//    as CPUs share it. What grows by more is no want of bandwidth: lines that are shared (false sharing,
//    words that all write) or locks. It is not extrapolated: measured_check.h.
// 3. For other numbers of CPUs the law is the machine's own where it was calibrated and busy CPUs slow memory
//    down there, else that of a closed queueing network with one memory (model/queueing/station_law.h).

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "answer/measured.h"
#include "core/result.h"
#include "forecast/target.h"
#include "timeline/accounts.h"

namespace parcast::forecast {

// `one` and `many`: of replays on one CPU and on as many as were measured, without this growth. None: there
// is nothing to explain, or it is not memory.
std::optional<MemoryGrowth> memory_growth(MeasuredSpeedUp const& measured, Accounts const& one,
                                          Accounts const& many);

// Whether growth is asked for at all: the target has no memory of its own, and own code took longer.
bool may_have_memory_growth(TargetMachine const& target, MeasuredSpeedUp const& measured);

// The target with such rates. Errors: those of model::memory_rates.
Result<TargetMachine> with_measured_memory(TargetMachine target, MemoryGrowth const& growth);

// "On 2 CPUs the program's own code took 1.40 times as long ..."
std::string measured_memory_assumption(MemoryGrowth const& growth);

}  // namespace parcast::forecast
