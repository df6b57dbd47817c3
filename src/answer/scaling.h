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
};

}  // namespace parcast
