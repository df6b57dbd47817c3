#include "stochastic/maximum.h"

#include <cmath>
#include <iomanip>
#include <ostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "stochastic/law.h"
#include "support/bernoulli.h"

namespace parcast {

void PrintTo(Moments const& moments, std::ostream* out) {
    *out << std::setprecision(12) << '(' << moments.mean << ", " << moments.variance << ", "
         << moments.skewness << ", " << moments.kurtosis << ')';
}

}  // namespace parcast

namespace parcast::stochastic {
namespace {

// Relative; of the mean, against the deviation where that is greater.
struct Tolerance {
    double mean;
    double variance;
    double shape;
};

constexpr Tolerance digits{5e-8, 5e-8, 5e-8};  // all that the tables print
constexpr Tolerance fitted{1e-3, 1e-2, 5e-2};  // what a fit by four moments is good for

testing::AssertionResult near(Moments const& value, Moments const& expected, Tolerance const& tolerance) {
    auto const within = [](double found, double wanted, double relative, double scale) {
        return std::abs(found - wanted) <= relative * std::max(std::abs(wanted), scale);
    };
    bool const same = within(value.mean, expected.mean, tolerance.mean, std::sqrt(expected.variance)) &&
                      within(value.variance, expected.variance, tolerance.variance, 0) &&
                      within(value.skewness, expected.skewness, tolerance.shape, 1) &&
                      within(value.kurtosis, expected.kurtosis, tolerance.shape, 0);
    return same ? testing::AssertionSuccess()
                : testing::AssertionFailure()
                      << testing::PrintToString(value) << " is not " << testing::PrintToString(expected);
}

Moments exponential(double mean) {
    return {mean, mean * mean, 2, 9};
}

Moments uniform(double low, double high) {
    return {(low + high) / 2, (high - low) * (high - low) / 12, 0, 1.8};
}

Moments normal(double mean, double deviation) {
    return {mean, deviation * deviation, 0, 3};
}

struct OrderCase {
    double count;
    Moments each;
    Moments maximum;
    char const* what;
};

class OrderStatistics : public testing::TestWithParam<OrderCase> {};

TEST_P(OrderStatistics, HasAllDigits) {
    auto const& [count, each, expected, what] = GetParam();
    EXPECT_TRUE(near(maximum_of(count, each), expected, digits)) << what << ", " << count;
}

// Cumulants of the maximum of exponential times: (r - 1)! sum i^-r.
INSTANTIATE_TEST_SUITE_P(
    Exponential, OrderStatistics,
    testing::Values(OrderCase{1, exponential(1), {1, 1, 2, 9}, "exact"},
                    OrderCase{2, exponential(1), {1.5, 1.25, 1.6099689, 7.08}, "exact"},
                    OrderCase{10, exponential(1), {2.9289683, 1.5497677, 1.2414156, 5.7030866}, "exact"},
                    OrderCase{20, exponential(1), {3.5977397, 1.5961632, 1.1909931, 5.5488138}, "exact"},
                    OrderCase{100, exponential(1), {5.1873775, 1.6349839, 1.1499181, 5.4292999}, "exact"},
                    OrderCase{200, exponential(1), {5.8780309, 1.6399465, 1.1447377, 5.4146202}, "exact"},
                    OrderCase{1000, exponential(1), {7.4854709, 1.6439346, 1.140586, 5.4029193}, "exact"},
                    OrderCase{10000, exponential(1), {9.787606, 1.6448341, 1.139651, 5.4002918}, "exact"}));

INSTANTIATE_TEST_SUITE_P(
    Uniform, OrderStatistics,
    testing::Values(
        OrderCase{1, uniform(0, 1), {0.5, 0.083333333333, 0, 1.8}, "exact"},
        OrderCase{2, uniform(0, 1), {0.66666667, 0.055555556, -0.56568542, 2.4}, "exact"},
        OrderCase{10, uniform(0, 1), {0.90909091, 0.0068870523, -1.5167702, 5.7758242}, "exact"},
        OrderCase{20, uniform(0, 1), {0.95238095, 0.0020614306, -1.7328146, 7.0663043}, "exact"},
        OrderCase{100, uniform(0, 1), {0.99009901, 9.6107456e-05, -1.9414582, 8.5418335}, "exact"},
        OrderCase{200, uniform(0, 1), {0.99502488, 2.4506795e-05, -1.9703697, 8.7655766}, "exact"},
        OrderCase{1000, uniform(0, 1), {0.999001, 9.9601097e-07, -1.994015, 8.952227}, "exact"},
        OrderCase{10000, uniform(0, 1), {0.99990001, 9.9960011e-09, -1.9994001, 8.9952023}, "exact"}));

INSTANTIATE_TEST_SUITE_P(
    NormalByItsLambdaLaw, OrderStatistics,
    testing::Values(OrderCase{2, normal(0, 1), {0.56400046, 0.68190348, 0.14208816, 3.0470307}, "-0.03 %"},
                    OrderCase{10, normal(0, 1), {1.5404233, 0.34580252, 0.36797929, 3.1500796}, "0.11 %"},
                    OrderCase{20, normal(0, 1), {1.8708073, 0.27355425, 0.41747804, 3.1850089}, "0.18 %"},
                    OrderCase{100, normal(0, 1), {2.5069377, 0.16865086, 0.4717697, 3.2278745}, "-0.03 %"},
                    OrderCase{200, normal(0, 1), {2.737181, 0.13872213, 0.4812581, 3.2357763}, "-0.3 %"},
                    OrderCase{1000, normal(0, 1), {3.1929206, 0.089125626, 0.49069623, 3.2436962}, "-1.5 %"},
                    OrderCase{10000,
                              normal(0, 1),
                              {3.6930323, 0.047760604, 0.49369611, 3.2461998},
                              "-4.1 %: the paper's 4 %"}));

// For x with n = N: mean n / (n + 1) and so on; (2, 5): mean 2/7, variance 5/196, skewness and kurtosis of
// ch. 25.
Moments const beta_2_5{2.0 / 7, 5.0 / 196, 0.596284793999944, 2.88};
Moments const arcsine{0.5, 0.125, 0, 1.5};

INSTANTIATE_TEST_SUITE_P(
    Fallbacks, OrderStatistics,
    testing::Values(
        OrderCase{2, arcsine, {0.702642367, 0.083936071, -0.820209173, 2.44676374}, "beta(.5, .5)"},
        OrderCase{10, arcsine, {0.964561714, 0.0037285769, -3.41922381, 19.1349011}, "beta(.5, .5)"}));

TEST(OrderStatistics, OfAConditionIsACondition) {
    auto const two = maximum_of(2, bernoulli(0.1));
    EXPECT_NEAR(two.mean, 0.19, 1e-14);
    EXPECT_NEAR(two.variance, 0.1539, 1e-14);
    auto const ten = maximum_of(10, bernoulli(0.1));
    EXPECT_NEAR(ten.mean, 0.65132156, 1e-8);
    EXPECT_NEAR(ten.variance, 0.227101786, 1e-9);
    EXPECT_NEAR(maximum_of(10, bernoulli(0.1)).kurtosis, bernoulli(ten.mean).kurtosis, 1e-9);
}

TEST(OrderStatistics, AreThoseOfTheLawWithinWhatFourMomentsTell) {
    EXPECT_TRUE(near(maximum_of(2, normal(0, 1)), {0.56418958, 0.68169011, 0.13694877, 3.0617443}, fitted));
}

TEST(OrderStatistics, OfGammaAndBetaLawsAreExact) {
    EXPECT_TRUE(near(maximum_of(2, beta_2_5), {0.375624376, 0.0222429918, 0.358970676, 2.72476724}, digits));
    EXPECT_NEAR(maximum_of(10, beta_2_5).mean, 0.557380901, 1e-9);
    EXPECT_NEAR(maximum_of(10, beta_2_5).variance, 0.0119494025, 1e-10);
    EXPECT_TRUE(
        near(maximum_of(2, {1, 0.25, 1, 4.5}), {1.2734375, 0.243591309, 0.913397948, 4.38005289}, digits));
}

// E[M] and E[M^2] of the greatest of n, by Simpson's rule on the integrals of 1 - F^n and 2 x (1 - F^n), with
// the sums that F is for whole shapes: nothing here is shared with what is tested.
template <class Below>
Moments mean_and_variance_of_greatest(double count, double end, Below const& below) {
    constexpr int steps = 40'000;
    double const step = end / steps;
    double mean = 0;
    double square = 0;
    for (int i = 0; i <= steps; ++i) {
        double const x = i * step;
        double const weight = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * step / 3;
        double const above = 1 - std::pow(below(x), count);
        mean += weight * above;
        square += weight * 2 * x * above;
    }
    return {mean, square - mean * mean, 0, 3};
}

double erlang_below(int stages, double x) {
    double term = std::exp(-x);
    double above = 0;
    for (int i = 0; i < stages; ++i) {
        above += term;
        term *= x / (i + 1);
    }
    return 1 - above;
}

// Binomial: at least a of a + b - 1 uniform numbers are below x.
double beta_below(int a, int b, double x) {
    int const all = a + b - 1;
    double sum = 0;
    for (int i = a; i <= all; ++i)
        sum += std::exp(std::lgamma(all + 1) - std::lgamma(i + 1) - std::lgamma(all - i + 1)) *
               std::pow(x, i) * std::pow(1 - x, all - i);
    return sum;
}

// The variance was 15 to 18 % too small for Erlang times, and 24 % for a beta law.
TEST(OrderStatistics, OfManyErlangTimesVariedTooLittle) {
    for (int const stages : {2, 4, 16}) {
        for (double const count : {2.0, 50.0, 1000.0}) {
            double const k = stages;
            auto const expected = mean_and_variance_of_greatest(
                count, 40 + 4 * k, [&](double x) { return erlang_below(stages, x); });
            auto const found = maximum_of(count, {k, k, 2 / std::sqrt(k), 3 + 6 / k});
            EXPECT_NEAR(found.mean, expected.mean, 1e-8 * expected.mean) << stages << ", " << count;
            EXPECT_NEAR(found.variance, expected.variance, 1e-6 * expected.variance)
                << stages << ", " << count;
        }
    }
}

TEST(OrderStatistics, OfManyBetaOutcomesVariedTooLittle) {
    for (double const count : {2.0, 50.0, 1000.0}) {
        auto const expected =
            mean_and_variance_of_greatest(count, 1, [](double x) { return beta_below(2, 5, x); });
        auto const found = maximum_of(count, beta_2_5);
        EXPECT_NEAR(found.mean, expected.mean, 1e-8) << count;
        EXPECT_NEAR(found.variance, expected.variance, 1e-6 * expected.variance) << count;
    }
}

struct ClientsCase {
    double clients;
    Moments phi;
};

class MachineRepair : public testing::TestWithParam<ClientsCase> {};

TEST_P(MachineRepair, IsTheMaximumOfItsClients) {
    auto const client = repeated(deterministic(1e6), exponential(10) + exponential(0.1));
    EXPECT_TRUE(near(maximum_of(GetParam().clients, client), GetParam().phi, digits));
}

INSTANTIATE_TEST_SUITE_P(Section1_7, MachineRepair,
                         testing::Values(ClientsCase{1, {10100000, 100010000, 0.00199970204, 3.000006}},
                                         ClientsCase{2, {10105640.3, 68257830.8, 0.143627654, 3.04638829}},
                                         ClientsCase{10, {10115411.2, 34646239.9, 0.367731822, 3.14865298}},
                                         ClientsCase{20, {10118718.3, 27405380.2, 0.416819641, 3.18326601}},
                                         ClientsCase{100, {10125085.2, 16884734, 0.470719978, 3.22573292}},
                                         ClientsCase{101, {10125119.9, 16836774.9, 0.47089377, 3.22587639}},
                                         ClientsCase{1000,
                                                     {10131947.9, 8911441.38, 0.489543445, 3.2414184}}));

TEST(OrderStatistics, OfHugeCountsOfExponentialTimesFollowGumbel) {
    constexpr double euler = 0.57721566490153286;
    for (double const count : {1e6, 1e9, 1e12}) {
        auto const moments = maximum_of(count, exponential(1));
        EXPECT_NEAR(moments.mean, std::log(count) + euler + 1 / (2 * count), 1e-11) << count;
        EXPECT_NEAR(moments.variance, std::acos(-1.0) * std::acos(-1.0) / 6 - 1 / count, 1e-11) << count;
        EXPECT_NEAR(moments.skewness, 1.13954709940, 3e-6) << count;
        EXPECT_NEAR(moments.kurtosis, 5.4, 1e-5) << count;
    }
}

TEST(OrderStatistics, OfHugeCountsStayWithinALawWithAnEnd) {
    auto const moments = maximum_of(1e9, uniform(0, 1));
    EXPECT_NEAR(1 - moments.mean, 1e-9, 1e-15);
    EXPECT_NEAR(moments.variance, 1e-18, 1e-23);
}

TEST(OrderStatistics, OfOneIsItselfAndOfNoneNothing) {
    Moments const odd{3, 2, 0.1, 1.2};
    EXPECT_EQ(maximum_of(1, odd), odd);
    EXPECT_EQ(maximum_of(0, odd), deterministic(0));
    EXPECT_EQ(maximum_of(-2, odd), deterministic(0));
    EXPECT_EQ(maximum_of(7, deterministic(4)), deterministic(4));
}

TEST(OrderStatistics, NestedLoseALittleSinceTheResultIsFittedAgain) {
    EXPECT_TRUE(near(maximum_of(3, maximum_of(4, exponential(1))),
                     {3.10007992, 1.57994070, 1.21593151, 5.44302011}, digits));
}

struct PairCase {
    Moments left;
    Moments right;
    Moments maximum;
    Tolerance tolerance;
    char const* what;
};

class TwoLaws : public testing::TestWithParam<PairCase> {};

TEST_P(TwoLaws, HaveTheExactMaximum) {
    auto const& row = GetParam();
    EXPECT_TRUE(near(maximum(row.left, row.right), row.maximum, row.tolerance)) << row.what;
}

constexpr Tolerance exact_laws{1e-9, 1e-8, 1e-7};

INSTANTIATE_TEST_SUITE_P(
    Section1_6, TwoLaws,
    testing::Values(
        PairCase{
            exponential(1), exponential(1), {1.5, 1.25, 1.6099689, 7.08}, {1e-9, 1e-9, 1e-7}, "closed form"},
        PairCase{exponential(1),
                 exponential(2),
                 {7.0 / 3, 11.0 / 3, 1.9728801, 9.2644628},
                 exact_laws,
                 "closed form"},
        PairCase{normal(0, 1),
                 normal(0, 1),
                 {0.56418958, 0.68169011, 0.13694877, 3.0617443},
                 fitted,
                 "exact laws"},
        PairCase{normal(0, 1),
                 normal(0, 1),
                 {0.56400046, 0.68190348, 0.14208816, 3.0470307},
                 digits,
                 "lambda laws"},
        PairCase{normal(10, 2),
                 normal(11, 1),
                 {11.479811, 1.2720522, 0.51892273, 3.9575012},
                 fitted,
                 "exact laws"},
        PairCase{normal(10, 2),
                 normal(11, 1),
                 {11.479465, 1.2743794, 0.52082814, 3.9197508},
                 {1e-6, 1e-6, 1e-6},
                 "lambda laws"},
        PairCase{uniform(0, 2),
                 exponential(1),
                 {1.4323324, 0.74041622, 1.9240695, 10.856973},
                 {1e-7, 1e-7, 1e-7},
                 "closed form, with a kink at 2"},
        PairCase{
            normal(10, 2), exponential(8), {12.364795, 33.879675, 3.18405, 18.373668}, fitted, "exact laws"},
        PairCase{{10, 25, 1, 4.5},
                 normal(10, 3),
                 {12.287146, 15.258238, 1.2111438, 6.2556866},
                 fitted,
                 "gamma(4, 2.5), exact laws"},
        PairCase{{10, 25, 1, 4.5},
                 normal(10, 3),
                 {12.2783, 15.369749, 1.2161262, 6.0166625},
                 {1e-5, 1e-5, 1e-5},
                 "gamma(4, 2.5), lambda laws"},
        PairCase{normal(100, 5),
                 normal(130, 5),
                 {130.00001, 24.999684, 5.2126038e-05, 2.9998302},
                 {1e-7, 1e-6, 1e-6},
                 "lambda laws, nearly decided"}));

TEST(TwoLaws, FarApartAreDecidedByTheirMeans) {
    EXPECT_EQ(maximum(normal(0, 3), normal(41, 4)), normal(41, 4)) << "8.2 deviations of 5";
    EXPECT_EQ(maximum(deterministic(3), exponential(1e-3)), deterministic(3));
}

// E[max(X, d)^r] of an exponential X with mean 1: d + exp(-d) and so on.
TEST(TwoLaws, OneOfThemDeterministic) {
    for (double const d : {0.1, 1.0, 4.0}) {
        double const tail = std::exp(-d);
        auto const moments = maximum(deterministic(d), exponential(1));
        EXPECT_NEAR(moments.mean, d + tail, 1e-11);
        EXPECT_NEAR(moments.variance, 2 * tail - tail * tail, 1e-10);
        // Above d an exponential remains with probability `tail`.
        EXPECT_TRUE(near(moments, mixture(tail, {d + 1, 1, 2, 9}, deterministic(d)), {1e-10, 1e-9, 1e-8}));
    }
    EXPECT_EQ(maximum(deterministic(2), deterministic(5)), deterministic(5));
}

TEST(TwoLaws, ThatTakeTwoValuesEach) {
    auto const both = maximum(bernoulli(0.1), bernoulli(0.3));
    auto const expected = bernoulli(1 - 0.9 * 0.7);
    EXPECT_TRUE(near(both, expected, {1e-12, 1e-12, 1e-11}));
}

TEST(TwoLaws, OneThatTakesTwoValues) {
    auto const moments = maximum(scaled(2, bernoulli(0.25)), exponential(1));
    auto const expected = mixture(0.25, maximum(deterministic(2), exponential(1)), exponential(1));
    EXPECT_TRUE(near(moments, expected, {1e-12, 1e-12, 1e-11}));
}

TEST(TwoLaws, OfVeryDifferentWidthAreResolved) {
    // Against a nearly constant 5: the exact value for a constant, off by the width's square only.
    auto const wide = maximum(normal(5, 1e-4), exponential(5));
    auto const sharp = maximum(deterministic(5), exponential(5));
    EXPECT_NEAR(wide.mean, sharp.mean, 1e-8);
    EXPECT_NEAR(wide.variance, sharp.variance, 1e-7);
    EXPECT_NEAR(wide.kurtosis, sharp.kurtosis, 1e-6);
}

class RandomPairs : public testing::Test {
protected:
    Moments draw() {
        double const skewness = uniform_(engine_) * 5 - 2.5;
        return {10 + 5 * uniform_(engine_), 0.5 + 9 * uniform_(engine_), skewness,
                skewness * skewness + 1 + 6 * uniform_(engine_)};
    }
    std::mt19937_64 engine_{20261122};
    std::uniform_real_distribution<double> uniform_{0, 1};
};

TEST_F(RandomPairs, MaximaCommute) {
    for (int trial = 0; trial < 30; ++trial) {
        auto const a = draw();
        auto const b = draw();
        EXPECT_EQ(maximum(a, b), maximum(b, a));
    }
}

TEST_F(RandomPairs, MaximaAreAttainableAndAboveBothMeans) {
    for (int trial = 0; trial < 60; ++trial) {
        auto const a = draw();
        auto const b = draw();
        auto const both = maximum(a, b);
        EXPECT_TRUE(attainable(both)) << testing::PrintToString(both);
        EXPECT_GE(both.mean, std::max(a.mean, b.mean) - 1e-9) << testing::PrintToString(a);
        EXPECT_LE(both.mean, std::max(a.mean, b.mean) + std::sqrt(a.variance + b.variance));
    }
}

TEST_F(RandomPairs, TwoOfTheSameLawAreAnOrderStatistic) {
    for (int trial = 0; trial < 60; ++trial) {
        auto const a = draw();
        EXPECT_TRUE(near(maximum(a, a), maximum_of(2, a), {1e-6, 1e-5, 1e-4})) << testing::PrintToString(a);
    }
}

TEST_F(RandomPairs, ScalingAndShiftingCommuteWithMaxima) {
    for (int trial = 0; trial < 30; ++trial) {
        auto const a = draw();
        auto const b = draw();
        Tolerance const rounding{1e-8, 1e-7, 1e-6};
        EXPECT_TRUE(near(maximum(scaled(3, a), scaled(3, b)), scaled(3, maximum(a, b)), rounding));
        EXPECT_TRUE(near(maximum_of(9, scaled(3, a)), scaled(3, maximum_of(9, a)), rounding));
        auto const shift = deterministic(100);
        EXPECT_TRUE(near(maximum(a + shift, b + shift), maximum(a, b) + shift, rounding));
    }
}

TEST_F(RandomPairs, MoreOfThemAreNoSooner) {
    for (int trial = 0; trial < 30; ++trial) {
        auto const each = draw();
        double before = each.mean;
        for (double const count : {1.0, 1.5, 2.0, 3.0, 10.0, 100.0, 1e4, 1e6, 1e9}) {
            double const mean = maximum_of(count, each).mean;
            EXPECT_GE(mean, before - 1e-9) << count << " of " << testing::PrintToString(each);
            before = mean;
        }
    }
}

TEST_F(RandomPairs, BodiesOfWhichNoLawExistsKeepMeanAndVariance) {
    Moments const formal{1, 1, 2, 3};
    auto const law = Law::fitted_to(formal);
    EXPECT_FALSE(law.matches_all());
    EXPECT_NEAR(law.maximum_of(1).mean, 1, 1e-12);
    EXPECT_NEAR(law.maximum_of(1).variance, 1, 1e-12);
}

// 76 of 236 models with erlang(k < 1) had impossible maxima: no lambda law reaches them, and rounding made
// beta laws of them with a + b near 10^16.
Moments gamma_law(double shape) {
    return {shape, shape, 2 / std::sqrt(shape), 3 + 6 / shape};
}

constexpr double gamma_shapes[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3,
                                   0.45,  0.5,   0.6,  0.7,  0.8, 0.9, 0.95};

// E[|D|^m] of D = (X - Y) / (X + Y), which is independent of the sum.
double difference_moment(double shape, int m) {
    auto const log_beta = [&](double a) { return std::lgamma(a) - std::lgamma(a + shape); };
    return std::exp(log_beta((m + 1) / 2.0) - log_beta(0.5));
}

// Raw moments of the greater of two: half of E[X^r + Y^r] + E[|X^r - Y^r|], where X^r - Y^r is (X + Y)^r
// times a polynomial of D.
Moments greater_of_two_gamma(double shape) {
    auto const raw = [](double of, int power) {
        double product = 1;
        for (int i = 0; i < power; ++i)
            product *= of + i;
        return product;
    };
    double const first = difference_moment(shape, 1);
    double const third = difference_moment(shape, 3);
    double const differences[] = {first, first, (3 * first + third) / 4, (first + third) / 2};
    double moment[4];
    for (int r = 1; r <= 4; ++r)
        moment[r - 1] = raw(shape, r) + raw(2 * shape, r) * differences[r - 1] / 2;
    double const mean = moment[0];
    double const variance = moment[1] - mean * mean;
    double const cube = moment[2] - mean * (3 * moment[1] - 2 * mean * mean);
    double const fourth = moment[3] - mean * (4 * moment[2] - mean * (6 * moment[1] - 3 * mean * mean));
    return {mean, variance, cube / variance / std::sqrt(variance), fourth / variance / variance};
}

TEST(GammaBelowOne, TwoHaveTheMaximumOfTheClosedForm) {
    for (double const shape : gamma_shapes) {
        auto const expected = greater_of_two_gamma(shape);
        EXPECT_TRUE(near(maximum_of(2, gamma_law(shape)), expected, {1e-8, 1e-8, 1e-7})) << shape;
        EXPECT_TRUE(near(maximum(gamma_law(shape), gamma_law(shape)), expected, {1e-8, 1e-7, 1e-6})) << shape;
    }
}

TEST(GammaBelowOne, ErlangOfNineTenthsTwiceIsNotMinusTen) {
    auto const moments = maximum_of(2, {1, 1 / 0.9, 2 / std::sqrt(0.9), 3 + 6 / 0.9});
    EXPECT_NEAR(moments.mean, 1.5205, 5e-5);
}

TEST(GammaBelowOne, TenHaveTheMaximumOfTheReference) {
    EXPECT_TRUE(near(maximum_of(10, scaled(2, gamma_law(0.5))),
                     {3.79962086, 4.46961082, 1.46832995, 6.68093685}, {2e-8, 2e-8, 2e-8}));
}

// Beside an exponential with rate l: E[min] and E[min^2] are integrals of Laplace transforms.
TEST(GammaBelowOne, BesideAnExponentialHasTheClosedForm) {
    for (double const shape : gamma_shapes) {
        for (double const mean : {0.01, 0.3, 1.0, 20.0}) {
            double const rate = 1 / mean;
            double const transform = std::pow(1 + rate, -shape);
            double const square = 2 * mean * mean * (transform + rate * shape * transform / (1 + rate));
            auto const both = maximum(gamma_law(shape), exponential(mean));
            double const expected = shape + mean * transform;
            EXPECT_NEAR(both.mean, expected, 1e-8 * expected) << shape << ", " << mean;
            EXPECT_NEAR(both.variance + both.mean * both.mean, shape * (shape + 1) + square,
                        1e-7 * (shape * (shape + 1) + square))
                << shape << ", " << mean;
        }
    }
}

TEST(GammaBelowOne, MirroredTheGreaterIsTheLessOfTwo) {
    for (double const shape : gamma_shapes) {
        auto const greater = maximum_of(2, scaled(-1, gamma_law(shape)));
        EXPECT_NEAR(greater.mean, -(2 * shape - greater_of_two_gamma(shape).mean), 1e-9 * shape) << shape;
    }
}

// Quadrature from the wrong end lost all digits where a + b is above a thousand.
TEST(BetaNearTheGammaLine, HasNearlyTheMaximaOfTheGamma) {
    for (double const shape : {0.01, 0.1, 0.3, 0.9}) {
        for (double const count : {2.0, 10.0, 1e4}) {
            auto const expected = maximum_of(count, gamma_law(shape));
            for (double const below : {1e-5, 1e-6, 1e-7, 1e-9, 1e-12, 1e-15}) {
                auto near_line = gamma_law(shape);
                near_line.kurtosis *= 1 - below;
                auto const found = maximum_of(count, near_line);
                double const far = 1e-8 + 1e2 * below;
                EXPECT_TRUE(near(found, expected, {far, far, 3 * far}))
                    << shape << ", " << count << ", " << below << ": " << testing::PrintToString(found);
            }
        }
    }
}

// Its mean is not below the greatest one, and some law has its moments.
bool may_be_maximum(Moments const& maximum, Moments const& greatest) {
    constexpr double rounding = 1e-6;
    double const slack = rounding * (std::abs(greatest.mean) + std::sqrt(std::max(0.0, greatest.variance)));
    return maximum == greatest || (attainable(maximum) && maximum.mean >= greatest.mean - slack);
}

TEST(Maxima, OfUnlikeQuantitiesMayBeMaxima) {
    for (double skewness = -12; skewness <= 12; skewness += 1.7)
        for (double const above : {1e-3, 0.5, 5.0, 50.0})
            for (double const variance : {0.01, 1.0, 100.0}) {
                Moments const left{1, 4, skewness, skewness * skewness + 1 + above};
                Moments const right{1.1, variance, 2, 9};
                EXPECT_TRUE(may_be_maximum(maximum(left, right), right))
                    << testing::PrintToString(left) << ": " << testing::PrintToString(maximum(left, right));
            }
}

TEST(Maxima, OfAllMomentsThatALawHasMayBeMaxima) {
    for (double skewness = -12; skewness <= 12; skewness += 0.37) {
        for (double const above : {1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 50.0}) {
            Moments const each{1, 4, skewness, skewness * skewness + 1 + above};
            for (double const count : {1.5, 2.0, 7.0, 1e3, 1e7})
                EXPECT_TRUE(may_be_maximum(maximum_of(count, each), each))
                    << count << " of " << testing::PrintToString(each) << ": "
                    << testing::PrintToString(maximum_of(count, each));
        }
        Moments const on_gamma_line{1, 4, skewness, 3 + 1.5 * skewness * skewness};
        for (double const count : {2.0, 1e3, 1e7})
            EXPECT_TRUE(may_be_maximum(maximum_of(count, on_gamma_line), on_gamma_line)) << skewness;
    }
}

}  // namespace
}  // namespace parcast::stochastic
