// Threads that hold locks which each other want: a deadlock that is the program's own, since it comes about
// whenever the threads reach their locks at such times.

#pragma once

#include <vector>

#include "timeline/run.h"

namespace parcast {

// Each waits for a lock that the next one holds, the last one for one of the first. Empty: there is no cycle.
std::vector<StuckThread> lock_cycle(Deadlock const& deadlock);

}  // namespace parcast
