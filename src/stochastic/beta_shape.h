// The beta law on [0, 1], and the one with a given skewness and kurtosis (Pearson's type I).
//
// Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions, ch. 25.

#pragma once

#include <optional>

#include "core/moments.h"

namespace parcast::stochastic {

struct BetaShape {
    double a = 1;
    double b = 1;
};

// The value below which a fraction `lower` of the outcomes lies. `upper` = 1 - lower.
double beta_quantile(BetaShape const& shape, double lower, double upper);

double beta_cumulative(BetaShape const& shape, double value);
double beta_mean(BetaShape const& shape);
double beta_variance(BetaShape const& shape);

// The greatest of `count` outcomes. Cost: some hundred us.
Moments beta_maximum(BetaShape const& shape, double count);

// Nothing where no beta law has them: kurtosis at skewness^2 + 1 or below, or at 3 + 1.5 skewness^2 or above.
std::optional<BetaShape> fitted_beta(double skewness, double kurtosis);

}  // namespace parcast::stochastic
