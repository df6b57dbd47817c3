// How far a program scales, and what limits how far it can scale at all.

#pragma once

#include <cstdint>
#include <optional>

#include "core/time.h"

namespace parcast {

inline constexpr double worthwhile_gain = 0.5;  // speed-up an added processor must return

// The result of the rule in analysis/scaling.h.
struct Scaling {
    std::uint32_t scales_to = 1;
    // The next predicted count; none: it scales as far as was tried.
    std::optional<std::uint32_t> first_beyond;

    // None: only a distant count was predicted, and those between one CPU and that may do better.
    std::optional<std::uint32_t> known_extent() const {
        return scales_to == 1 && first_beyond.value_or(2) > 2 ? std::nullopt : std::optional(scales_to);
    }
};

// What the speed-up on a number of CPUs lies between.
struct SpeedUpBounds {
    double lower = 1;
    double upper = 1;
};

// The critical path: how long a program takes with a processor for every thread.
struct Span {
    Duration length;
    Duration busy;  // its CPU time
};

}  // namespace parcast
