// What a machine's fields may be. One place, for `check` and for the reader, whose messages have a line.

#pragma once

#include <cstdint>

namespace parcast {

struct LimitsNs {
    std::int64_t low_ns;
    std::int64_t high_ns;
};

inline constexpr std::int64_t most_cpus = 65'536;
// A slice under a microsecond would make more switches than work; beyond 10 s it is a mistake of unit.
inline constexpr LimitsNs slice_limits{1'000, 10'000'000'000};
inline constexpr LimitsNs granularity_limits{0, 10'000'000'000};
inline constexpr LimitsNs balance_limits{1'000, 10'000'000'000};
inline constexpr LimitsNs cost_limits{0, 1'000'000'000};

}  // namespace parcast
