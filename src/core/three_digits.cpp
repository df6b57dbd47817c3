#include "core/three_digits.h"

#include <cmath>
#include <cstdio>

namespace parcast {

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
    char text[400];  // the largest double has 309 digits
    // From 1000 on every digit before the point is shown: a cut to "1230" would read as exact.
    std::snprintf(text, sizeof text, "%.*f", decimals, magnitude > 2 ? std::round(value) : number);
    return text;
}

}  // namespace parcast
