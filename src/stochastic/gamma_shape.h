// The gamma law with scale 1 (Pearson's type III), for shapes below 1: there no generalised lambda
// distribution reaches it. It is the limit of the beta law where the kurtosis comes to the gamma line
// 3 + 1.5 skewness^2.
//
// Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions, ch. 17.

#pragma once

#include <optional>

#include "core/moments.h"

namespace parcast::stochastic {

// The value below which a fraction `lower` of the outcomes lies. `upper` = 1 - lower.
double gamma_quantile(double shape, double lower, double upper);

// The probabilities of outcomes up to the value, and above it.
double gamma_cumulative(double shape, double value);
double gamma_exceeding(double shape, double value);

// The moments of the greatest and of the least of `count` outcomes. Cost: some hundred us.
Moments gamma_maximum(double shape, double count);
Moments gamma_minimum(double shape, double count);

// The shape whose skewness has this magnitude. None where the kurtosis is off the gamma line by more than
// rounding.
std::optional<double> fitted_gamma(double skewness, double kurtosis);

}  // namespace parcast::stochastic
