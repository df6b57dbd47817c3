#include "core/time_unit.h"

#include <cmath>
#include <limits>

namespace parcast {

std::optional<double> unit_ns(std::string_view word) {
    if (word == "ns")
        return 1;
    if (word == "us")
        return 1e3;
    if (word == "ms")
        return 1e6;
    if (word == "s")
        return 1e9;
    return std::nullopt;
}

double in_ns(double time, double unit_ns) {
    constexpr double rounding =
        8 * std::numeric_limits<double>::epsilon();  // of a formula with a few operations
    double const exact = time * unit_ns;
    double const whole = std::round(exact);
    return std::abs(exact - whole) <= rounding * whole ? whole : exact;
}

}  // namespace parcast
