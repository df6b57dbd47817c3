// Page faults of memory that several threads use lie with whoever used it first. On one CPU that is who had
// the first time slices: its phase is long, and those of the others are short. With more processors all come
// at once, and each meets some of the pages untouched.
//
// A *team* is the threads that meet at the same places in the same order: barriers, and the starts of the
// regions of an OpenMP team; not if they are more than a barrier is for. A *phase* is what they do from one
// meeting to the next, from their beginning to the first, or from the last to their end. Only page faults
// outside of the program's locks count. Those of a phase are shared out evenly if all of this holds:
//
// 1. Some threads have fewer than others, by `fewest_apart` at least.
// 2. But for them the threads do the same: a straight line through CPU time over page faults explains 95 % of
//    how far their CPU times lie apart.
// 3. Its slope, what a fault takes, is 0.9 to 2 times what parcast measured of one.
// 4. What each thread does besides, where the line begins, takes at least as long as its share of the page
//    faults: where one thread fills memory and the others wait for it, they do nothing.
// 5. Most page faults are not near one of the thread's last eight: a thread that fills arrays of its own goes
//    on with their next pages, threads that write all over common memory do not.
// 6. Nobody creates threads in the phase, and each thread has an operation outside of all locks there.
//
// Each goes with what the line says of a fault, as far as it has that in the recording: first the time under
// the kernel's lock, then that before it.
//
// A recording does not show which of the touched pages a thread uses later: evenly is the best guess where
// threads do the same. With two threads 2 says nothing. It takes a recording with its page faults
// (docs/record.md). Cost: O(operations + threads * meetings) where the kernel noted something, else none.

#pragma once

#include <cstdint>

#include "program/thread_program.h"

namespace parcast::extract {

inline constexpr std::uint32_t fewest_apart = 16;

// Moves them, each to an operation outside of all locks; ThreadProgram::other keeps the lists that were
// replaced, and the sentences get one more. REQUIRES: ids are in range and lists end with
// `end`; work is handed out anew.
void share_out_first_touches(ThreadProgram& program);

}  // namespace parcast::extract
