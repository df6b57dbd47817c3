// Locks that a thread takes faster than they can be recorded. What lies between their events is less than the
// price of an event, so that most operations have no work and a few have that of all (segments.h, rule 4):
// a thousand locks in no time, and a microsecond for each afterwards. Whether CPUs want such a lock at the
// same moment would be decided by these lumps.
//
// In a row of operations of one lock, most of them without work, the work of those that take it is spread
// evenly over those that take it, and so is that of those that release it. How long the lock is held, in all,
// and how long the row takes stay the same.
//
// Cost: O(operations).

#pragma once

#include <vector>

#include "program/thread_program.h"

namespace parcast::extract {

void spread_over_bursts(OperationList& list);

}  // namespace parcast::extract
