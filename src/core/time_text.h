// A duration for people: three significant digits and a unit that fits, the same in every sentence and
// table: "0 s", "13 ns", "3.21 µs", "112 ms", "4.97 s", "16.7 min", "12.5 h". Rounded before the unit is
// chosen, so that 999.7 ms is "1.00 s".

#pragma once

#include <string>

#include "core/time.h"

namespace parcast {

std::string time_text(Duration duration);

}  // namespace parcast
