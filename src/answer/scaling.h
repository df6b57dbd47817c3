// Up to how many processors a program scales: the result of the rule in analysis/scaling.h.

#pragma once

#include <cstdint>
#include <optional>

namespace parcast {

inline constexpr double worthwhile_gain = 0.5;  // speed-up an added processor must return

struct Scaling {
    std::uint32_t scales_to = 1;
    // The next predicted count; none: it scales as far as was tried.
    std::optional<std::uint32_t> first_beyond;

    // None: only a distant count was predicted, and those between one CPU and that may do better.
    std::optional<std::uint32_t> known_extent() const {
        return scales_to == 1 && first_beyond.value_or(2) > 2 ? std::nullopt : std::optional(scales_to);
    }
};

}  // namespace parcast
