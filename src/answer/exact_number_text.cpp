#include <cmath>

#include <fmt/format.h>

#include "answer/number_text.h"

namespace parcast {

std::string exact_number_text(double value) {
    constexpr double most_whole = 1e15;
    if (value == std::floor(value) && std::abs(value) < most_whole)
        return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

}  // namespace parcast
