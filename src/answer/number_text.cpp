#include "answer/number_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace parcast {

std::string number_text(double value) {
    constexpr int digits = 6;
    if (value == 0 || !std::isfinite(value))
        return fmt::format("{}", value);
    // The exponent of what is printed: 9.9999999 is 10.0000.
    auto const scientific = fmt::format("{:.{}e}", std::abs(value), digits - 1);
    int const exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    constexpr int least_exponent = -4;
    constexpr int most_exponent = 14;
    if (exponent < least_exponent || exponent > most_exponent)
        return fmt::format("{:.{}g}", value, digits);
    return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string exact_number_text(double value) {
    constexpr double most_whole = 1e15;
    if (value == std::floor(value) && std::abs(value) < most_whole)
        return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

}  // namespace parcast
