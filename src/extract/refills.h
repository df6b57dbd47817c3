// What does a program take that is recorded on one CPU, without the cache refills of its threads' turns?
//
// Threads that take turns on one CPU evict each other's data; what it costs to get them back is CPU time
// between two events of the recording. Known how much that is in all, and how often each thread lost its CPU
// at the end of a time slice, it is taken out of the threads' work, and a replay charges it turn by turn
// instead: again on one CPU, not where each thread has a CPU of its own.
//
// Assumptions: (1) each turn costs the same. (2) A thread's refills are spread over its work evenly.

#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "program/thread_program.h"

namespace parcast::extract {

// Takes `refill` for each turn out of the threads' work, and makes it the program's price of a turn. A thread
// keeps at least half of its work. The CPU time taken out in all. REQUIRES: refill >= 0, turns[thread] >= 0,
// one per thread, and no price yet. Cost: O(operations of threads that took turns).
Duration take_out_refills(ThreadProgram& program, std::vector<std::int64_t> const& turns, Duration refill);

}  // namespace parcast::extract
