#include "core/time_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace parcast {

namespace {

struct Unit {
    double ns;
    char const* name;
};

// 999.6 us would round to 1000 us: the next unit begins where three digits end.
constexpr double rounds_up = 0.9995;

}  // namespace

std::string time_text(Duration duration) {
    constexpr std::array<Unit, 3> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
    double const ns = to_real(duration).ns;
    for (Unit const& unit : units) {
        if (std::abs(ns) >= unit.ns * rounds_up) {
            double const value = ns / unit.ns;
            char text[40];
            char const* const format = std::abs(value) < 999.5 ? "%.3g %s" : "%.0f %s";
            std::snprintf(text, sizeof text, format, value, unit.name);
            return text;
        }
    }
    return std::to_string(duration.ns) + " ns";
}

}  // namespace parcast
