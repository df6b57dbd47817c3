// How a task graph says which locks its tasks take: "lock.rate", per ns of CPU time, and "lock.hold_ns", the
// mean time that it is held; of a second lock "lock2.rate" and "lock2.hold_ns", and so on.

#pragma once

#include <cstddef>
#include <string>

namespace parcast {

inline constexpr std::size_t most_locks = 16;  // of a graph; each is two numbers a group

// REQUIRES: from 1 on.
inline std::string lock_rate(std::size_t lock) {
    return (lock == 1 ? "lock" : "lock" + std::to_string(lock)) + ".rate";
}

inline std::string lock_hold(std::size_t lock) {
    return (lock == 1 ? "lock" : "lock" + std::to_string(lock)) + ".hold_ns";
}

}  // namespace parcast
