// Ticks and the monotonic clock read together, as the recorder does it: the kernel's clock, also where a
// library such as libfaketime puts another one in the place of libc's.

#pragma once

#include <cstdint>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "wire/record.h"

namespace parcast::record {

inline wire::ClockPair read_clock_pair() {
    timespec now{};
    std::uint64_t const ticks = __rdtsc();
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return {ticks,
            static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec)};
}

}  // namespace parcast::record
