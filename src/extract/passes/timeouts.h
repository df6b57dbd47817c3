// Timed waits that ran out, and were taken up again: which of them only mean that the thread still waits?
//
// On one CPU those whom a thread waits for have no CPU of their own, so times run out that would suffice on
// two. Replayed as a delay, such a wait would take its whole time on any machine.
//
// A wait that ran out is a *look* if its thread did nothing but lock, unlock and use at most `predicate_ns`
// of CPU time until it waited for the same again. A look costs nothing in the replay; the last wait stands
// for all. If a thread gave up in the end, each wait remains a delay of the time that it asked for.

#pragma once

#include <cstdint>

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// To lock again, test a predicate and wait again takes below a microsecond, with cold caches a few.
inline constexpr std::int64_t predicate_ns = 50'000;

// More calls than fit into that time, of a thread that only looks.
inline constexpr std::uint32_t most_calls_of_a_look = 1'000;

// Whether the thread only looked between two of its waits. After a wait that did not run out, it may not even
// lock: who was released and gives up the mutex has found what it waited for. REQUIRES: earlier.index <
// later.index, one thread. Cost: O(1).
bool only_looked(Timeline const& recorded, EventReference earlier, EventReference later);

// Looks of locks and semaphores; those of conditions are part of their chains (conditions.h).
// REQUIRES: plan_locks and plan_semaphores are done.
void plan_timeouts(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
