// The curves of a search: the time against the first numeric parameter, a colour for each combination of the
// others and a kind of line for each method; of steps also communication and computation (figures 7 to 9 of
// Rugina and Schauser). SVG, legible on light and on dark pages.

#pragma once

#include <string>

#include "answer/tuning.h"

namespace parcast::report {

// REQUIRES: tuning.grid.curve_axis().
std::string tuning_chart_svg(Tuning const& tuning);

}  // namespace parcast::report
