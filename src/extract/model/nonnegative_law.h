// Which moments has a time that was measured, so that a law with them gives next to no negative times? What
// is measured need not: moments are of how segments differ within their rounds, and what locks hold is taken
// off the mean. A simulation takes negative draws as 0, and so takes longer than the formula says.

#pragma once

#include "core/moments.h"

namespace parcast::extract {

// What taking negative outcomes of the law with these moments as 0 adds to the mean, as a share of it.
// REQUIRES: mean > 0.
double clipped_share(Moments const& moments);

// The same mean and variance (none if the mean is 0 or less). Skewness and kurtosis stay where the law adds
// less than a thousandth to the mean; else the first of these shapes that does: the least skewness and
// kurtosis above those given that a time can have, a gamma law's, two points of which one is 0.
Moments nonnegative(Moments const& moments);

// What of the time 999 of 1000 outcomes have, at least 0.
double certain_part(Moments const& moments);

}  // namespace parcast::extract
