// One execution as the page draws it: accounts, lanes, parallelism, events, critical path and deadlock, in
// the columns of docs/formats/execution.md.

#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "view/sections.h"

namespace parcast::view {

// Beyond these a page would take gigabytes: the execution then has accounts, but no lanes or no events.
inline constexpr std::size_t most_intervals = 64'000'000;
inline constexpr std::int64_t most_events = 4'000'000;

// What a replay that is to be drawn has to keep.
simulate::ReplayOptions options_for_view(ThreadProgram const& program, simulate::Pairing pairing);

// What a replay of the program on the machine gave. Without run.timeline its lanes are empty, without
// arrivals its events. REQUIRES: fewer than 65 536 processors. Cost: time O(intervals * log(intervals) +
// events * log(events)); memory about twice the result.
Bytes execution_bytes(Run const& run, ThreadProgram const& program, Machine const& machine,
                      simulate::Pairing pairing);

}  // namespace parcast::view
