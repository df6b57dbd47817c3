#include "stochastic/power_sums.h"

#include <gtest/gtest.h>

#include "support/bernoulli.h"

namespace parcast::stochastic {
namespace {

TEST(PowerSums, OfOutcomesAreTheirMoments) {
    for (double const origin : {0.0, 3.0, -2.0}) {
        PowerSums sums(origin);
        sums.add_outcome(1, 0.9);
        sums.add_outcome(3, 0.1);
        auto const expected = scaled(2, bernoulli(0.1));
        EXPECT_NEAR(sums.moments().mean, 1 + expected.mean, 1e-13);
        EXPECT_NEAR(sums.moments().variance, expected.variance, 1e-13);
        EXPECT_NEAR(sums.moments().skewness, expected.skewness, 1e-11);
        EXPECT_NEAR(sums.moments().kurtosis, expected.kurtosis, 1e-11);
    }
}

// Uniform on [2, 3]: G(y) = y - 2, by the midpoint rule.
TEST(PowerSums, OfADistributionFunctionAreThoseOfItsLaw) {
    PowerSums sums(2.4);
    sums.add_outcome(3, 1);
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) {
        double const y = 2 + (i + 0.5) / steps;
        sums.subtract_below(y, (y - 2) / steps);
    }
    EXPECT_NEAR(sums.moments().mean, 2.5, 1e-8);
    EXPECT_NEAR(sums.moments().variance, 1.0 / 12, 1e-8);
    EXPECT_NEAR(sums.moments().skewness, 0, 1e-6);
    EXPECT_NEAR(sums.moments().kurtosis, 1.8, 1e-6);
}

TEST(PowerSums, OfOneOutcomeAreDeterministic) {
    PowerSums sums(5);
    sums.add_outcome(5, 0.5);
    sums.add_outcome(5, 0.5);
    EXPECT_EQ(sums.moments(), deterministic(5));
}

}  // namespace
}  // namespace parcast::stochastic
