#include "pamela/syntax/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace parcast::pamela {

std::string number_text(double value) {
    std::array<char, 32> digits{};
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), written.ptr};
}

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument)
        return std::nullopt;
    if (read.ec == std::errc::result_out_of_range) {  // too large, or too near to 0
        bool const has_negative_exponent =
            text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
        return has_negative_exponent || text.starts_with("0.") || text.starts_with(".0") ? std::optional(0.0)
                                                                                         : std::nullopt;
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace parcast::pamela
