// Times as people write them in files and options: a number and a unit.

#pragma once

#include <optional>
#include <string_view>

namespace parcast {

inline constexpr char const* time_units = "ns, us, ms or s";

// In ns. None: not one of time_units.
std::optional<double> unit_ns(std::string_view word);

// What is within rounding of a whole number of nanoseconds is that number, so that 3.7 us + 0.1 us and 3.8 us
// end at the same instant.
double in_ns(double time, double unit_ns);

}  // namespace parcast
