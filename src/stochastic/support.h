// Between which values a quantity lies, as far as its moments name its law: quantiles of sums and maxima,
// whose laws are fitted, are held to what their parts can be.

#pragma once

#include <limits>

#include "core/moments.h"

namespace parcast::stochastic {

struct Support {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// Of the laws that models name: one value, exponential, uniform, gamma (Erlang), two points (Bernoulli). Any
// other moments may be those of a normal law, or of samples: no bounds.
Support support_of(Moments const& moments);

// As support_of(), where the moments are not of a sum or a maximum, but those of a law: of all laws that have
// ends, beta laws too.
Support support_of_law(Moments const& moments);

}  // namespace parcast::stochastic
