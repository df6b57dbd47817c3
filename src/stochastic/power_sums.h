// Moments of a law that is given in parts: outcomes with their probabilities, and stretches of its
// distribution function. By powers about an origin, which should lie where the outcomes do: sums about 0
// would cancel.

#pragma once

#include "core/moments.h"

namespace parcast::stochastic {

class PowerSums {
public:
    explicit PowerSums(double origin) : origin_(origin) {}

    void add_outcome(double value, double probability);

    // Integration by parts of a stretch from a to b whose distribution function G begins at 0:
    // E[f] = f(b) G(b) - integral of f'(y) G(y) dy. Give f(b) G(b) as an outcome, and to this G(y) dy.
    void subtract_below(double value, double probability_times_length);

    // Divided by the sum of the probabilities: 1 but for what the quadrature misses.
    Moments moments() const;

private:
    double origin_;
    double total_ = 0;
    double first_ = 0;
    double second_ = 0;
    double third_ = 0;
    double fourth_ = 0;
};

}  // namespace parcast::stochastic
