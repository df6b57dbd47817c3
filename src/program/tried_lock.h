// Locks that the recording got by a try, which does not wait: pthread_mutex_trylock, std::lock.

#pragma once

#include "program/thread_program.h"

namespace parcast {

// Value of lock, read_lock and write_lock, if it is none of the kernel's; else 0.
inline constexpr std::int64_t by_a_try = 2;

inline bool is_try(Operation const& operation) {
    return operation.value == by_a_try && traits_of(operation.kind()).role == Role::takes_lock;
}

}  // namespace parcast
