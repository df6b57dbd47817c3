// Numbers as people read them: three significant digits, no exponent.

#pragma once

#include <string>

namespace parcast {

// Nearest value with three significant digits. REQUIRES: finite.
double round_to_three_digits(double value);

// "6.97", "12.3", "0.0412"; from 1000 on every digit before the point is shown. REQUIRES: finite.
std::string three_digits(double value);

// "6.97", "12.3", "63.9"; a slow-down with as many decimals as a speed-up: "0.97".
std::string speed_up_text(double speed_up);

}  // namespace parcast
