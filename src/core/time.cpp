#include "core/time.h"

#include <cmath>

namespace parcast {

std::int64_t whole_ns(double ns) {
    return std::llround(ns);
}

Result<Duration> round_to_duration(RealDuration duration) {
    if (!(std::abs(duration.ns) < longest_ns))
        return fail(ErrorCode::out_of_range, "a time is not a number or exceeds 292 years");
    return Duration{whole_ns(duration.ns)};
}

}  // namespace parcast
