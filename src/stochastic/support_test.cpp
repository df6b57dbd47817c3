#include "stochastic/support.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/bernoulli.h"

namespace parcast::stochastic {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

struct SupportCase {
    Moments moments;
    double low, high;
    char const* what;
};

class SupportOfMoments : public testing::TestWithParam<SupportCase> {};

TEST_P(SupportOfMoments, IsThatOfTheLawThatTheyName) {
    auto const& [moments, low, high, what] = GetParam();
    auto const support = support_of(moments);
    if (std::isfinite(low))
        EXPECT_NEAR(support.low, low, 1e-9) << what;
    else
        EXPECT_EQ(support.low, low) << what;
    if (std::isfinite(high))
        EXPECT_NEAR(support.high, high, 1e-9) << what;
    else
        EXPECT_EQ(support.high, high) << what;
}

INSTANTIATE_TEST_SUITE_P(
    Laws, SupportOfMoments,
    testing::Values(SupportCase{{5, 0, 0, 3}, 5, 5, "a number"},
                    SupportCase{{2, 16.0 / 12, 0, 1.8}, 0, 4, "uniform(0, 4)"},
                    SupportCase{{10, 100, 2, 9}, 0, unbounded, "exponential(10)"},
                    SupportCase{{-3, 4, -2, 9}, -unbounded, -1, "mirrored and moved"},
                    SupportCase{{1, 0.25, 1, 4.5}, 0, unbounded, "erlang(4, 1)"},
                    SupportCase{{0.5, 0.5, 2 * std::sqrt(2.0), 15}, 0, unbounded, "gamma of one half"},
                    SupportCase{bernoulli(0.1), 0, 1, "a condition"},
                    SupportCase{{0, 1, 0, 3}, -unbounded, unbounded, "normal"},
                    SupportCase{{0, 1, 0.4, 3.5}, -unbounded, unbounded, "samples"}));

}  // namespace
}  // namespace parcast::stochastic
