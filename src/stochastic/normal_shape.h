// A polynomial of a normal variable, without its location and scale: y = z + c (z^2 - 1) + d z^3. Near the
// normal law it has any skewness and kurtosis, and there it is what sums of many times are like: it differs
// from the gamma and beta laws with the same four moments by the third power of the skewness.
//
// Source: Fleishman, Psychometrika 43 (1978). Cost: some us.

#pragma once

#include "core/moments.h"

namespace parcast::stochastic {

struct NormalShape {
    double c = 0;
    double d = 0;
};

// Whether a law with these moments is so near the normal one: gamma shapes of a thousand and more.
bool is_nearly_normal(double skewness, double kurtosis);

// REQUIRES: is_nearly_normal(skewness, kurtosis).
NormalShape fitted_normal(double skewness, double kurtosis);

double normal_variance(NormalShape const& shape);

// y at the fraction exp(log_lower) = 1 - exp(log_upper). Finite at 0 and 1: where a double ends.
double normal_quantile(NormalShape const& shape, double log_lower, double log_upper);

double normal_cumulative(NormalShape const& shape, double y);

// The greatest of `count` draws of y.
Moments normal_maximum(NormalShape const& shape, double count);

}  // namespace parcast::stochastic
