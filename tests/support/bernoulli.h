#pragma once

#include <cmath>

#include "core/moments.h"

namespace parcast {

// The condition "true with probability p" as a quantity: (p, p(1-p), ...). REQUIRES: 0 <= p <= 1.
inline Moments bernoulli(double probability) {
    double const variance = probability * (1 - probability);
    if (variance <= 0)
        return deterministic(probability);
    return {probability, variance, (1 - 2 * probability) / std::sqrt(variance),
            3 + (1 - 6 * variance) / variance};
}

}  // namespace parcast
