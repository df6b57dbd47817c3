// Time as integer nanoseconds. An Instant is a point on one clock, a Duration a difference of two;
// instant + instant does not compile. Statistics and analytic models use RealDuration (double ns).
// There is no implicit conversion between the integer and the real world: to_real() widens,
// round_to_duration() rounds to nearest and refuses NaN and overflow.

#pragma once

#include <compare>
#include <cstdint>

#include "core/result.h"

namespace parcast {

struct Duration {
    std::int64_t ns = 0;

    friend constexpr auto operator<=>(Duration, Duration) = default;
    friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
    friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
    friend constexpr Duration operator*(Duration a, std::int64_t factor) { return {a.ns * factor}; }
    constexpr Duration& operator+=(Duration other) { return ns += other.ns, *this; }
    constexpr Duration& operator-=(Duration other) { return ns -= other.ns, *this; }
};

struct Instant {
    std::int64_t ns = 0;  // since the start of the recording, or of the simulated run

    friend constexpr auto operator<=>(Instant, Instant) = default;
    friend constexpr Instant operator+(Instant a, Duration b) { return {a.ns + b.ns}; }
    friend constexpr Instant operator-(Instant a, Duration b) { return {a.ns - b.ns}; }
    friend constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }
};

struct RealDuration {
    double ns = 0.0;
    friend constexpr auto operator<=>(RealDuration, RealDuration) = default;
};

constexpr RealDuration to_real(Duration duration) {
    return {static_cast<double>(duration.ns)};
}

// Nearest whole nanosecond. Errors: out_of_range (NaN, or beyond 292 years).
Result<Duration> round_to_duration(RealDuration duration);

// More ns than this, 292 years, no Duration or Instant holds. A little below 2^63, so that casts are defined.
inline constexpr double longest_ns = 9.2e18;

// The nearest whole number. REQUIRES: less than longest_ns either way.
std::int64_t whole_ns(double ns);

}  // namespace parcast
