// A lock that the first of several threads takes and the last one gives back, as readers do that count
// themselves under another mutex (the "lightswitch" of Downey's Little Book of Semaphores):
//
//     enter: lock(m); if (++count == 1) lock(w); unlock(m)
//     leave: lock(m); if (--count == 0) unlock(w); unlock(m)
//
// On one CPU each thread is the first and the last, mostly. On more, a list has takes that the program would
// not make, and two threads wait for m and w in a circle that the program never comes to.

#pragma once

#include <cstdint>

#include "program/thread_program.h"

namespace parcast {

// Whether the operation takes a mutex in order to give back a lock, which the thread took under that mutex
// and held on without it. Cost: linear in the operations since then.
bool takes_to_leave(OperationList const& list, std::uint32_t operation);

}  // namespace parcast
