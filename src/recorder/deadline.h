// How long a timed call may still wait: recorded on the blocked path only.

#pragma once

#include <stdint.h>
#include <time.h>

#include "recorder/cpu_clock.h"

namespace parcast::recorder {

inline uint64_t duration_ns(timespec const& duration) {
    if (duration.tv_sec < 0)
        return 0;
    return static_cast<uint64_t>(duration.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(duration.tv_nsec);
}

// 0 if the deadline has passed.
inline uint64_t ns_until(clockid_t clock, timespec const& deadline) {
    uint64_t const now = read_clock_ns(clock);
    uint64_t const then = duration_ns(deadline);
    return then > now ? then - now : 0;
}

}  // namespace parcast::recorder
