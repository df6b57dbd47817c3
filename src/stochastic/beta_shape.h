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

// The beta law of the second kind (Pearson's type VI): x / (1 - x) of a beta outcome x. Its limit is the gamma
// law as well, from the side of greater kurtosis: sums of unlike exponential times lie between.
struct BetaPrimeShape {
    double a = 1;
    double b = 5;  // above 4: else there is no kurtosis
};
double beta_prime_quantile(BetaPrimeShape const& shape, double lower, double upper);
double beta_prime_cumulative(BetaPrimeShape const& shape, double value);
double beta_prime_exceeding(BetaPrimeShape const& shape, double value);
double beta_prime_mean(BetaPrimeShape const& shape);
double beta_prime_variance(BetaPrimeShape const& shape);
Moments beta_prime_maximum(BetaPrimeShape const& shape, double count);
Moments beta_prime_minimum(BetaPrimeShape const& shape, double count);

// The one whose skewness has this magnitude. Nothing where none has them, or hardly any: kurtosis at the
// gamma line or below, or from the line of the inverse gamma law on; and where moments are governed by the
// far tail (b of 8 or less).
std::optional<BetaPrimeShape> fitted_beta_prime(double skewness, double kurtosis);

// Nothing where no beta law has them: kurtosis at skewness^2 + 1 or below, or at 3 + 1.5 skewness^2 or above.
std::optional<BetaShape> fitted_beta(double skewness, double kurtosis);

}  // namespace parcast::stochastic
