// From exact times to whole nanoseconds, where it is known that they fit.

#pragma once

#include <cstdint>

namespace parcast {

// More ns than this, 292 years, no Duration or Instant holds. A little below 2^63, so that casts are defined.
inline constexpr double longest_ns = 9.2e18;

// The nearest whole number. REQUIRES: less than longest_ns either way.
std::int64_t whole_ns(double ns);

}  // namespace parcast
