#include "stochastic/law.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/bernoulli.h"

namespace parcast::stochastic {
namespace {

struct KindCase {
    Moments moments;
    LawKind kind;
    bool matches_all;
    char const* what;
};

class ChoiceOfLaw : public testing::TestWithParam<KindCase> {};

TEST_P(ChoiceOfLaw, FollowsTheMoments) {
    auto const& row = GetParam();
    auto const law = Law::fitted_to(row.moments);
    EXPECT_EQ(law.kind(), row.kind) << row.what << ": " << law.name();
    EXPECT_EQ(law.matches_all(), row.matches_all) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Regions, ChoiceOfLaw,
    testing::Values(
        KindCase{{5, 0, 0, 3}, LawKind::single_value, true, "no variance"},
        KindCase{{10, 100, 2, 9}, LawKind::exponential, true, "exponential"},
        KindCase{{10.1, 100.01, 1.9997, 8.9988}, LawKind::exponential, true, "nearly exponential"},
        KindCase{{1, 1, -2, 9}, LawKind::exponential, true, "mirrored"},
        KindCase{{0, 1, 0, 3}, LawKind::lambda, true, "normal"},
        KindCase{{0, 1, 0, 1.8}, LawKind::lambda, true, "uniform"},
        KindCase{bernoulli(0.1), LawKind::two_points, true, "a condition"},
        KindCase{{0, 1, 1, 1.5}, LawKind::two_points, false, "no law has them"},
        KindCase{{0.010964965, 0.0302822823, 8.27688761, 59.638716}, LawKind::two_points, false, "table 4"},
        KindCase{{0.5, 0.125, 0, 1.5}, LawKind::beta, true, "arcsine"},
        KindCase{{0, 1, 3, 15}, LawKind::beta, true, "below the gamma line"},
        KindCase{{0, 1, 3, 16.5}, LawKind::gamma, true, "on the gamma line"},
        KindCase{{0, 1, -3, 16.5 * (1 - 1e-15)}, LawKind::gamma, true, "but for rounding, mirrored"},
        KindCase{{0, 1, 3, 20}, LawKind::pareto, false, "between the gamma line and the lambda laws"},
        KindCase{{0, 1, 10, 300}, LawKind::pareto, false, "a skewness with which no four moments fit"}));

struct ParametersCase {
    Moments moments;
    double l1, l2, l3, l4;
    char const* what;
};

class PublishedForm : public testing::TestWithParam<ParametersCase> {};

TEST_P(PublishedForm, IsTheSameQuantileFunction) {
    auto const& row = GetParam();
    auto const law = Law::fitted_to(row.moments);
    for (double const u : {0.001, 0.1, 0.5, 0.8, 0.999}) {
        double const expected = row.l1 + (std::pow(u, row.l3) - std::pow(1 - u, row.l4)) / row.l2;
        EXPECT_NEAR(law.quantile(u), expected, 3e-7) << row.what << " at " << u;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fits, PublishedForm,
    testing::Values(
        ParametersCase{{0, 1, 0, 3}, 0, 0.19745137, 0.134912455, 0.134912455, "normal"},
        ParametersCase{{0, 1, 0, 1.8}, 0, 0.577350269, 1, 1, "uniform"},
        ParametersCase{
            {0, 1, 1, 4.5}, -0.669915683, 0.0842494297, 0.0196193779, 0.0818786054, "gamma, k = 4"},
        ParametersCase{
            {0, 1, 0.5, 3.375}, -0.448990025, 0.149095882, 0.0576024098, 0.138184283, "gamma, k = 16"},
        ParametersCase{{0, 1, 0, 9}, 0, -0.3202329, -0.135861832, -0.135861832, "heavy tails"},
        ParametersCase{{0, 1, -1, 4.5}, 0.669915683, 0.0842494297, 0.0818786054, 0.0196193779, "mirrored"}));

std::vector<Moments> of_every_kind() {
    return {{5, 0, 0, 3},    {10, 100, 2, 9}, {-3, 4, -2, 9}, {7, 4, 0, 3},    {1, 1, 1, 4.5},
            {1, 1, -1, 4.5}, {0, 1, 0, 1.8},  bernoulli(0.1), {0, 1, -1, 2},   {0.5, 0.125, 0, 1.5},
            {0, 1, -3, 15},  {0, 1, 3, 20},   {0, 1, 0, 30},  {0, 1, 3, 16.5}, {0, 1, -4, 27}};
}

TEST(Quantile, NeverFalls) {
    for (auto const& moments : of_every_kind()) {
        auto const law = Law::fitted_to(moments);
        double before = law.quantile(0);
        for (int i = 1; i <= 200; ++i) {
            double const next = law.quantile(i / 200.0);
            EXPECT_GE(next, before) << law.name();
            before = next;
        }
    }
}

TEST(Cumulative, IsTheInverseOfTheQuantileOfContinuousLaws) {
    for (auto const& moments : of_every_kind()) {
        auto const law = Law::fitted_to(moments);
        if (law.kind() == LawKind::single_value || law.kind() == LawKind::two_points)
            continue;
        for (double const u : {0.001, 0.2, 0.5, 0.9, 0.999})
            EXPECT_NEAR(law.cumulative(law.quantile(u)), u, 1e-8) << law.name();
    }
}

TEST(Cumulative, StepsWhereALawHasPoints) {
    auto const condition = Law::fitted_to(bernoulli(0.1));
    EXPECT_NEAR(condition.quantile(0.89), 0, 1e-12);
    EXPECT_NEAR(condition.quantile(0.91), 1, 1e-12);
    EXPECT_EQ(condition.cumulative(-0.01), 0);
    EXPECT_NEAR(condition.cumulative(0.5), 0.9, 1e-12);
    EXPECT_EQ(condition.cumulative(1.01), 1);
    auto const value = Law::fitted_to(deterministic(5));
    EXPECT_EQ(value.quantile(0.3), 5);
    EXPECT_EQ(value.cumulative(4.99), 0);
    EXPECT_EQ(value.cumulative(5), 1);
}

TEST(Law, HasTheMomentsThatItWasFittedTo) {
    for (auto const& moments : of_every_kind()) {
        auto const law = Law::fitted_to(moments);
        auto const own = law.maximum_of(1);
        EXPECT_NEAR(own.mean, moments.mean, 1e-9 * std::sqrt(moments.variance) + 1e-12) << law.name();
        EXPECT_NEAR(own.variance, moments.variance, 1e-9 * moments.variance) << law.name();
        bool const has_skewness = law.matches_all() || law.kind() == LawKind::pareto;
        EXPECT_TRUE(!has_skewness || std::abs(own.skewness - moments.skewness) <= 1e-7) << law.name();
        EXPECT_TRUE(!law.matches_all() || std::abs(own.kurtosis - moments.kurtosis) <= 1e-6) << law.name();
    }
}

TEST(Quantile, OfTheExponentialLawIsItsLogarithm) {
    auto const law = Law::fitted_to({10, 100, 2, 9});
    for (double const u : {0.01, 0.5, 0.99})
        EXPECT_NEAR(law.quantile(u), -10 * std::log1p(-u), 1e-11);
    EXPECT_NEAR(law.quantile(1, 1e-30), 300 * std::log(10), 1e-9) << "far in the tail";
}

TEST(Quantile, OfAMirroredLawIsMirrored) {
    auto const right = Law::fitted_to({0, 1, 1.3, 5.5});
    auto const left = Law::fitted_to({0, 1, -1.3, 5.5});
    for (double const u : {0.01, 0.3, 0.8})
        EXPECT_NEAR(left.quantile(u, 1 - u), -right.quantile(1 - u, u), 1e-10);
}

}  // namespace
}  // namespace parcast::stochastic
