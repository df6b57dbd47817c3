// What a machine's fields may be. One place, for `check` and for the reader, whose messages have a line.

#pragma once

#include <cstdint>

namespace parcast {

struct LimitsNs {
    std::int64_t low_ns;
    std::int64_t high_ns;
};

inline constexpr std::uint32_t most_cpus = 65'536;
// A slice under a microsecond would make more switches than work; beyond 10 s it is a mistake of unit.
inline constexpr LimitsNs slice_limits{1'000, 10'000'000'000};
inline constexpr LimitsNs granularity_limits{0, 10'000'000'000};
inline constexpr LimitsNs balance_limits{1'000, 10'000'000'000};
inline constexpr LimitsNs cost_limits{0, 1'000'000'000};
// Beyond 10 s of spinning nobody tells a long budget from waiting without end.
inline constexpr LimitsNs spin_limits{0, 10'000'000'000};

struct RealLimits {
    double low;
    double high;
};

// A thousandth of the speed alone is a mistake; a little above 1 is noise of a measurement.
inline constexpr RealLimits rate_limits{0.001, 2};
inline constexpr RealLimits share_limits{0, 1};

}  // namespace parcast
