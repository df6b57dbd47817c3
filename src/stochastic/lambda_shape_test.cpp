#include "stochastic/lambda_shape.h"
#include "stochastic/lambda_fit.h"

#include <cmath>

#include <gtest/gtest.h>

namespace parcast::stochastic {
namespace {

struct FitCase {
    double skewness;
    double kurtosis;
    double w;
    double c;
    char const* what;
};

class LambdaFit : public testing::TestWithParam<FitCase> {};

TEST_P(LambdaFit, FindsTheShape) {
    auto const& row = GetParam();
    auto const shape = fitted_lambda(row.skewness, row.kurtosis);
    ASSERT_TRUE(shape) << row.what;
    EXPECT_NEAR(shape->w, row.w, 2e-9) << row.what;
    EXPECT_NEAR(shape->c, row.c, 2e-9) << row.what;
}

// The uniform law is not here: w = 1/2 with c = 2 or 4 and w = 0 with c = 1 are all of its shapes.
INSTANTIATE_TEST_SUITE_P(Quadrature, LambdaFit,
                         testing::Values(FitCase{0, 3, 0.5, 0.269824909, "normal"},
                                         FitCase{1, 4.5, 0.193298204, 0.101497983, "gamma, k = 4"},
                                         FitCase{0.5, 3.375, 0.294210036, 0.195786692, "gamma, k = 16"},
                                         FitCase{0, 4.2, 0.5, 0, "logistic, where l2, l3 and l4 are all 0"},
                                         FitCase{0, 9, 0.5, -0.271723663, "heavy tails"},
                                         FitCase{-1, 4.5, 0.806701796, 0.101497983,
                                                 "negative skewness: mirrored"}));

TEST(LambdaFit, HasTheMomentsAskedForOverItsWholeRegion) {
    for (double skewness = -4; skewness <= 4; skewness += 0.5) {
        double const least = pareto_kurtosis(pareto_shape(skewness).c);
        for (double const above : {1.0, 1.001, 1.02, 1.2, 2.0, 5.0, 20.0}) {
            double const kurtosis = least * above;
            auto const shape = fitted_lambda(skewness, kurtosis);
            ASSERT_TRUE(shape) << skewness << ' ' << kurtosis;
            auto const moments = lambda_maximum(*shape, 1);
            EXPECT_NEAR(moments.skewness, skewness, 1e-7) << kurtosis;
            EXPECT_NEAR(moments.kurtosis, kurtosis, 1e-7 * kurtosis) << skewness;
        }
    }
}

TEST(LambdaFit, RefusesWhatNoShapeHas) {
    EXPECT_FALSE(fitted_lambda(3, 20)) << "its skewness needs 21.1";
    EXPECT_FALSE(fitted_lambda(0, 1.79));
    EXPECT_FALSE(fitted_lambda(8, 1000))
        << "the generalised Pareto law has no such skewness and four moments";
}

TEST(LambdaFit, SnapsToTheEdgeWhereTheExponentialLawLies) {
    for (double const kurtosis : {9.0, 9 * (1 - 5e-4)}) {
        auto const shape = fitted_lambda(2, kurtosis);
        ASSERT_TRUE(shape);
        EXPECT_NEAR(shape->w, 0, 1e-6);
        EXPECT_NEAR(shape->c, 0, 1e-6);
    }
    auto const body = fitted_lambda(1.999702037, 8.998800240);
    ASSERT_TRUE(body) << "exp(10) + exp(0.1)";
    EXPECT_NEAR(body->w, 0.000152614147, 1e-8);
    EXPECT_NEAR(body->c, -1.79426649e-05, 1e-9);
}

struct EdgeCase {
    double skewness;
    double xi;
    double kurtosis;
};

class ParetoEdge : public testing::TestWithParam<EdgeCase> {};

TEST_P(ParetoEdge, IsTheLeastKurtosisOfASkewness) {
    auto const& row = GetParam();
    auto const shape = pareto_shape(row.skewness);
    EXPECT_NEAR(shape.c, -row.xi, 2e-9);
    EXPECT_NEAR(pareto_kurtosis(shape.c), row.kurtosis, 1e-7 * row.kurtosis);
}

INSTANTIATE_TEST_SUITE_P(
    Scanned, ParetoEdge,
    testing::Values(EdgeCase{0, -1, 1.8}, EdgeCase{0.25, -0.743887663, 1.95351413},
                    EdgeCase{0.75, -0.390045708, 2.80109973}, EdgeCase{1, -0.270420863, 3.52571331},
                    EdgeCase{1.5, -0.104309802, 5.68499341}, EdgeCase{1.75, -0.0464237637, 7.17897071},
                    EdgeCase{2.25, 0.0376847766, 11.1969538}, EdgeCase{2.5, 0.0686451249, 13.8299082},
                    EdgeCase{3.5, 0.150072362, 30.5266569}, EdgeCase{4, 0.175502038, 44.6684738}));

TEST(LambdaCumulative, IsTheInverseOfTheQuantile) {
    for (double const w : {0.0, 0.01, 0.3, 0.5, 0.9, 1.0}) {
        for (double const c : {-0.2, 0.0, 1e-12, 0.1, 1.0, 3.0}) {
            for (double const u : {1e-12, 0.001, 0.3, 0.5, 0.99, 1 - 1e-9}) {
                double const z = lambda_quantile({w, c}, std::log(u), std::log1p(-u));
                double const slope = w * std::pow(u, w * c - 1) + (1 - w) * std::pow(1 - u, (1 - w) * c - 1);
                double const lost = 1e-15 * std::abs(z) / slope;  // z cannot say u better than that
                EXPECT_NEAR(LambdaCumulative({w, c})(z), u, 1e-12 * u + 10 * lost + 1e-15) << w << ' ' << c;
            }
        }
    }
}

TEST(LambdaCumulative, IsCertainOutsideTheLaw) {
    LambdaShape const bounded{0.5, 2};
    EXPECT_EQ(LambdaCumulative(bounded)(-0.6), 0);
    EXPECT_EQ(LambdaCumulative(bounded)(0.6), 1);
    EXPECT_EQ(LambdaCumulative({0, 0})(-1), 0) << "the exponential law begins at 0";
}

}  // namespace
}  // namespace parcast::stochastic
