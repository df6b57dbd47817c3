#include "core/time_text.h"

#include <array>

#include "core/three_digits.h"

namespace parcast {

namespace {

struct Unit {
    double ns;
    char const* name;
    double limit;  // of the rounded number: from here on the next unit is used
};

constexpr std::array<Unit, 4> units{
    {{1e3, "µs", 1000}, {1e6, "ms", 1000}, {1e9, "s", 1000}, {60e9, "min", 600}}};
constexpr double hour_ns = 3600e9;

std::string positive_time_text(double ns) {
    for (Unit const& unit : units) {
        double const number = ns / unit.ns;
        if (round_to_three_digits(number) < unit.limit)
            return three_digits(number) + " " + unit.name;
    }
    return three_digits(ns / hour_ns) + " h";
}

}  // namespace

std::string time_text(Duration duration) {
    if (duration.ns == 0)
        return "0 s";
    if (duration.ns > -1000 && duration.ns < 1000)
        return std::to_string(duration.ns) + " ns";
    double const ns = to_real(duration).ns;
    return ns < 0 ? "-" + positive_time_text(-ns) : positive_time_text(ns);
}

}  // namespace parcast
