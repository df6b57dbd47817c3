// Numbers without a unit, as models have them: with as many digits as tell neighbouring points of a sweep
// apart.

#pragma once

#include <string>

namespace parcast {

// Six significant digits: "10.1056", "10125085" (all digits before the point), "1.23457e-07" and "1e+20"
// where a point would not help.
std::string number_text(double value);

// As short as a reader gets the same number back from: "0.1", "1000000".
std::string exact_number_text(double value);

}  // namespace parcast
