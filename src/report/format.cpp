#include "report/format.h"

#include <array>

#include <fmt/core.h>

namespace parcast::report {

namespace {

struct Unit {
    double size;
    char const* name;
    double limit;  // of the rounded number: from here on the next unit is used
};

template <std::size_t N>
std::string in_units(double value, std::array<Unit, N> const& units) {
    for (Unit const& unit : units) {
        double const number = value / unit.size;
        if (round_to_three_digits(number) < unit.limit || &unit == &units.back())
            return three_digits(number) + " " + unit.name;
    }
    return {};
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array<Unit, 4> units{
        {{1e3, "kB", 1000}, {1e6, "MB", 1000}, {1e9, "GB", 1000}, {1e12, "TB", 0}}};
    if (bytes < 1000)
        return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
    return in_units(static_cast<double>(bytes), units);
}

std::string speed_up_text(double speed_up) {
    bool const is_slow_down = speed_up >= 0.1 && speed_up < 1;
    return is_slow_down ? fmt::format("{:.2f}", speed_up) : three_digits(speed_up);
}

}  // namespace parcast::report
