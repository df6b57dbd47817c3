// Page faults of memory that several threads use lie with whoever used it first. On one CPU that is who had
// the first time slices: its phase is long, and those of the others are short. With more processors all come
// at once, and each meets some of the pages untouched.
//
// A *team* are the threads that arrive at the same barriers in the same order, a *phase* is what they do from
// one barrier to the next, from their beginning to the first, or from the last to their end. The page faults
// of a phase are shared out evenly if all of this holds:
//
// 1. Some have fewer than others, by `fewest_apart` at least.
// 2. But for them the threads do the same: a straight line through CPU time over page faults explains 95 % of
//    how far their CPU times lie apart.
// 3. Its slope, what a fault takes, is 0.7 to 2 times what parcast measured of one: a thread that fills
//    memory of its own works on each page besides.
// 4. Nobody creates threads in the phase.
//
// Which pages a thread uses that were there already no recording tells: evenly is the best guess where
// threads do the same. It takes a recording with its memory map (docs/record.md).
// Cost: O(operations); none where no page faults were noted.

#pragma once

#include <cstdint>

#include "program/thread_program.h"

namespace parcast::extract {

inline constexpr std::uint32_t fewest_apart = 8;

// Moves them, each to an operation outside of all locks; ThreadProgram::other keeps the lists that were
// replaced, and the sentences the new one that is added. REQUIRES: check(program) holds, with work handed out
// anew.
void share_out_first_touches(ThreadProgram& program);

}  // namespace parcast::extract
