#include "core/time.h"

#include <cmath>
#include <limits>

namespace parcast {

Result<Duration> round_to_duration(RealDuration duration) {
    constexpr double limit = 9.2e18;  // below 2^63, so the cast is defined
    if (!(std::abs(duration.ns) < limit))
        return fail(ErrorCode::out_of_range, "a time is not a number or exceeds 292 years");
    return Duration{std::llround(duration.ns)};
}

}  // namespace parcast
