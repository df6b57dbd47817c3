// From time-stamp counts to nanoseconds since the start of a recording, by the line through the header's
// two clock pairs.
//
// Assumption: the counter runs at one rate (constant_tsc), as every x86-64 processor of the last fifteen
// years does. Counts before the first pair are instant 0: the pair is read while the recorder starts.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/result.h"
#include "wire/record.h"

namespace parcast::trace {

// No time in a recording exceeds this: two years and three months. It leaves room to add up times.
inline constexpr std::int64_t longest_ns = std::int64_t{1} << 56;

class TickScale {
public:
    // Errors: truncated (the second pair was never filled in), malformed (time does not advance).
    static Result<TickScale> between(wire::ClockPair begin, wire::ClockPair end);

    // ns since the first pair; none beyond longest_ns.
    std::optional<std::int64_t> nanoseconds(std::uint64_t ticks) const {
        if (ticks <= begin_ticks_)
            return 0;
        __extension__ using Wide = unsigned __int128;
        Wide const ns = static_cast<Wide>(ticks - begin_ticks_) * ns_per_tick_ >> fraction_bits;
        if (ns > static_cast<Wide>(longest_ns))
            return std::nullopt;
        return static_cast<std::int64_t>(ns);
    }

    // Ticks in so many ns, 0 or more; in no more than longest_ns.
    std::uint64_t ticks(double ns) const {
        double const per_ns =
            static_cast<double>(std::uint64_t{1} << fraction_bits) / static_cast<double>(ns_per_tick_);
        return static_cast<std::uint64_t>(std::min(ns, static_cast<double>(longest_ns)) * per_ns);
    }

    // ns that so many ticks take; at most longest_ns.
    std::int64_t duration_ns(std::uint64_t ticks) const {
        __extension__ using Wide = unsigned __int128;
        Wide const ns = static_cast<Wide>(ticks) * ns_per_tick_ >> fraction_bits;
        return ns > static_cast<Wide>(longest_ns) ? longest_ns : static_cast<std::int64_t>(ns);
    }

private:
    static constexpr unsigned fraction_bits = 60;

    TickScale(std::uint64_t begin_ticks, std::uint64_t ns_per_tick)
        : begin_ticks_(begin_ticks), ns_per_tick_(ns_per_tick) {}

    std::uint64_t begin_ticks_;
    std::uint64_t ns_per_tick_;  // fixed point, fraction_bits of fraction
};

}  // namespace parcast::trace
