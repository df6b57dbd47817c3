// Locks that were taken again before the recording says that they were released. The recorder loses what a
// signal handler does that interrupts it, and memory that is freed with a lock in it can hold another one. In
// a replay such a lock would be held until its thread ends, and who waits for it might wait for ever.
//
// 1. Only a lock that a thread never gives back can be one: all others cost a pass over the events.
// 2. It was released after the last event of its thread before another thread took it: there the unlock is
//    put in.
// 3. A lock that its thread takes again is taken for a nested one (locks.h, rule 3).
// 4. Mutexes that another thread unlocks are left as they are (locks.h, rule 4), and so are locks of threads
//    that have ended.

#pragma once

#include <cstdint>

#include "timeline/timeline.h"

namespace parcast::extract {

// How many were put in. REQUIRES: a timeline that check() accepts.
// Cost: O(events) time; events of suspect locks are sorted.
std::int64_t restore_lost_unlocks(Timeline& recorded);

}  // namespace parcast::extract
