#include "report/format.h"

#include <array>
#include <cmath>

#include <fmt/core.h>

namespace parcast::report {

namespace {

struct Unit {
    double size;
    char const* name;
    double limit;  // of the rounded number: from here on the next unit is used
};

// Nearest value with three significant digits.
double rounded(double value) {
    if (value == 0.0) {
        return 0.0;
    }
    double const magnitude = std::floor(std::log10(std::fabs(value)));
    double const step = std::pow(10.0, magnitude - 2);
    return std::round(value / step) * step;
}

template <std::size_t N>
std::string in_units(double value, std::array<Unit, N> const& units) {
    for (Unit const& unit : units) {
        double const number = value / unit.size;
        if (rounded(number) < unit.limit || &unit == &units.back()) {
            return three_digits(number) + " " + unit.name;
        }
    }
    return {};
}

}  // namespace

std::string three_digits(double value) {
    double const number = rounded(value);
    double const magnitude = number == 0.0 ? 0.0 : std::floor(std::log10(std::fabs(number)) + 1e-9);
    int const decimals = magnitude >= 2 ? 0 : 2 - static_cast<int>(magnitude);
    // From 1000 on every digit before the point is shown: a cut to "1230" would read as exact.
    return fmt::format("{:.{}f}", magnitude > 2 ? std::round(value) : number, decimals);
}

std::string time_text(Duration time) {
    static constexpr std::array<Unit, 5> units{
        {{1e3, "µs", 1000}, {1e6, "ms", 1000}, {1e9, "s", 1000}, {60e9, "min", 600}, {3600e9, "h", 0}}};
    if (time.ns == 0) {
        return "0 s";
    }
    if (time.ns > -1000 && time.ns < 1000) {
        return fmt::format("{} ns", time.ns);
    }
    if (time.ns < 0) {
        return "-" + in_units(-static_cast<double>(time.ns), units);
    }
    return in_units(static_cast<double>(time.ns), units);
}

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array<Unit, 4> units{
        {{1e3, "kB", 1000}, {1e6, "MB", 1000}, {1e9, "GB", 1000}, {1e12, "TB", 0}}};
    if (bytes < 1000) {
        return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
    }
    return in_units(static_cast<double>(bytes), units);
}

std::string count_text(std::int64_t count) {
    std::string digits = fmt::format("{}", count);
    std::size_t const first = count < 0 ? 1 : 0;
    for (std::size_t position = digits.size(); position > first + 3;) {
        position -= 3;
        digits.insert(position, ",");
    }
    return digits;
}

std::string counted(std::int64_t count, std::string const& noun) {
    return count_text(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string percent_text(double share) {
    double const percent = share * 100;
    if (percent == 0.0) {
        return "0 %";
    }
    if (percent > 0 && percent < 0.05) {
        return "<0.1 %";
    }
    return std::fabs(percent) < 0.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string speed_up_text(double speed_up) {
    return three_digits(speed_up);
}

}  // namespace parcast::report
