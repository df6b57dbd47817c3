// What locks and threads cost: an uncontended lock, one that blocks, creating a thread and joining it.

#pragma once

#include <cstddef>
#include <vector>

namespace parcast::calibrate {

// Lock and unlock of a pthread mutex that nobody else uses. `count` samples of many pairs each.
std::vector<double> uncontended_locks(unsigned cpu, std::size_t count);

// Processor time of a lock that blocks and of the unlock that releases it, together, beyond an uncontended
// pair: the waiter goes to sleep and comes back, the releaser wakes it. REQUIRES: two CPUs.
std::vector<double> contended_locks(unsigned holder, unsigned waiter, std::size_t count);

struct ThreadLives {
    std::vector<double> creations_ns;  // pthread_create, for the creator
    std::vector<double> joins_ns;      // pthread_join of a thread that has ended
    std::vector<double> lives_ns;      // creation, an empty body and the join, in wall time
};

// The thread is bound to the CPU `child`, which may be that of its creator.
ThreadLives thread_lives(unsigned creator, unsigned child, std::size_t count);

}  // namespace parcast::calibrate
