// The moments of a maximum of independent quantities that are known by their moments: by order statistics of
// the fitted law (law.h). Quadrature, no closed form in floating point: eq 12 loses all digits near the
// exponential.
//
// Source: Gautama and van Gemund, eqs 11 to 13; for two different laws the exact integral in place of eq 13.

#pragma once

#include "core/moments.h"

namespace parcast::stochastic {

// For `count` independent quantities of the same law. Exact where the law is (exponential, uniform, two
// points, gamma and with it Erlang, beta). A count of 1: `each` itself; below 1: 0. Fractional counts
// interpolate as N F^(N-1) does.
Moments maximum_of(double count, Moments const& each);

// For two independent quantities; with the same moments two of one law. Means further apart than 8 standard
// deviations of the difference: the greater.
Moments maximum(Moments const& left, Moments const& right);

}  // namespace parcast::stochastic
