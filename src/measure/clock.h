// The clocks of who measures, in nanoseconds. Both are the same for all CPUs of a machine.

#pragma once

#include <cstdint>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

#include "core/time.h"

namespace parcast::measure {

inline std::int64_t clock_ns(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Monotonic, as in recordings.
inline std::int64_t wall_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

inline Instant wall_now() {
    return {wall_ns()};
}

// The kernel's, also where a library such as libfaketime puts another clock in the place of libc's: for what
// is compared with CPU times and with /proc/stat. A system call.
inline Instant kernel_now() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return {std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec};
}

// CPU time of the calling thread, with its system calls.
inline std::int64_t thread_cpu_ns() {
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

// Keeps its CPU busy until then.
inline void spin_until(std::int64_t end_ns) {
    while (wall_ns() < end_ns) {
    }
}

}  // namespace parcast::measure
