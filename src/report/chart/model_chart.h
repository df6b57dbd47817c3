// A picture of a sweep: the mean of the execution time against a parameter, with the band that nine runs out
// of ten end in, what other theories say, and simulated points with their confidence intervals. SVG, legible
// on light and on dark pages.

#pragma once

#include <string>

#include "answer/answer.h"

namespace parcast::report {

// At most this many values of the other swept parameters get a curve.
inline constexpr std::size_t most_curves = 6;

// REQUIRES: a swept parameter with two values or more; the first such is the horizontal axis.
std::string model_chart_svg(Answer const& prediction);

}  // namespace parcast::report
