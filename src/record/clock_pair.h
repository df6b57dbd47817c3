// Ticks and the monotonic clock read together, as the recorder does it.

#pragma once

#include <cstdint>
#include <ctime>

#include <x86intrin.h>

#include "wire/record.h"

namespace parcast::record {

inline wire::ClockPair read_clock_pair() {
    timespec now{};
    std::uint64_t const ticks = __rdtsc();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return {ticks,
            static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec)};
}

}  // namespace parcast::record
