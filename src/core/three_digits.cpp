#include "core/three_digits.h"

#include <cmath>
#include <cstdio>

namespace parcast {

namespace {

std::string fixed(double value, int decimals) {
    char text[400];  // the largest double has 309 digits
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

}  // namespace

double round_to_three_digits(double value) {
    if (value == 0.0)
        return 0.0;
    double const magnitude = std::floor(std::log10(std::fabs(value)));
    double const step = std::pow(10.0, magnitude - 2);
    return std::round(value / step) * step;
}

std::string three_digits(double value) {
    double const number = round_to_three_digits(value);
    // Rounding may have left 9.99999... of a power of ten.
    double const magnitude = number == 0.0 ? 0.0 : std::floor(std::log10(std::fabs(number)) + 1e-9);
    int const decimals = magnitude >= 2 ? 0 : 2 - static_cast<int>(magnitude);
    // From 1000 on every digit before the point is shown: a cut to "1230" would read as exact.
    return fixed(magnitude > 2 ? std::round(value) : number, decimals);
}

std::string speed_up_text(double speed_up) {
    bool const is_slow_down = speed_up >= 0.1 && speed_up < 1;
    return is_slow_down ? fixed(speed_up, 2) : three_digits(speed_up);
}

}  // namespace parcast
