#include "answer/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace parcast {

namespace {

constexpr std::size_t most_letters = 400;  // a double has 309 digits before its point

std::string written(double value, std::chars_format format, int precision) {
    std::array<char, most_letters> text;
    auto const end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr;
    return {text.data(), static_cast<std::size_t>(end - text.data())};
}

}  // namespace

std::string number_text(double value) {
    constexpr int digits = 6;
    if (value == 0)
        return std::signbit(value) ? "-0" : "0";
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    // The exponent of what is printed: 9.9999999 is 10.0000.
    auto const scientific = written(std::abs(value), std::chars_format::scientific, digits - 1);
    int const exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    constexpr int least_exponent = -4;
    constexpr int most_exponent = 14;
    if (exponent < least_exponent || exponent > most_exponent)
        return written(value, std::chars_format::general, digits);
    return written(value, std::chars_format::fixed, std::max(0, digits - 1 - exponent));
}

}  // namespace parcast
