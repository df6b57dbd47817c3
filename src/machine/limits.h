// What a machine's fields may be. One place, for `check` and for the reader, whose messages have a line.

#pragma once

#include <cstdint>

namespace parcast {

// For whole numbers: nanoseconds, or percent.
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
// For a cost that comes on top of another, which it may lessen.
inline constexpr LimitsNs difference_limits{-1'000'000'000, 1'000'000'000};
inline constexpr LimitsNs percent_limits{0, 100};
// Input and output at once; 0: any number.
inline constexpr LimitsNs at_once_limits{0, 65'536};
// Beyond 10 s of spinning nobody tells a long budget from waiting without end.
inline constexpr LimitsNs spin_limits{0, 10'000'000'000};

struct RealLimits {
    double low;
    double high;
};

// The least is less than what each of 8192 processors, the most that Linux can be built for, has of one
// memory bus. Busy processors that are faster than one alone would do more work than there is.
inline constexpr RealLimits rate_limits{0.0001, 1};
inline constexpr RealLimits share_limits{0, 1};
// A fetch, ns: at most a day; more is a mistake of unit.
inline constexpr RealLimits fetch_limits{0, 86'400e9};

}  // namespace parcast
