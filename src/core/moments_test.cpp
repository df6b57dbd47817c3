#include "core/moments.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/bernoulli.h"

namespace parcast {

void PrintTo(Moments const& moments, std::ostream* out) {
    *out << std::setprecision(12) << '(' << moments.mean << ", " << moments.variance << ", "
         << moments.skewness << ", " << moments.kurtosis << ')';
}

namespace {

// Nine digits are printed in the tables; `scale` for quantities that may be 0.
bool is_near(double value, double expected, double relative, double scale = 0) {
    return std::abs(value - expected) <= relative * std::max(std::abs(expected), scale);
}

testing::AssertionResult near(Moments const& value, Moments const& expected, double relative = 2e-9) {
    double const deviation = std::sqrt(expected.variance);
    bool const same =
        is_near(value.mean, expected.mean, relative, deviation) &&
        is_near(value.variance, expected.variance, relative, relative * expected.mean * expected.mean) &&
        is_near(value.skewness, expected.skewness, relative, 1) &&
        is_near(value.kurtosis, expected.kurtosis, relative);
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

Moments normal(double mean, double variance) {
    return {mean, variance, 0, 3};
}

// Moments of a law with few values, by enumeration.
using Pmf = std::vector<std::pair<double, double>>;  // value, probability

Moments moments_of_pmf(Pmf const& pmf) {
    double mean = 0;
    for (auto const& [value, probability] : pmf)
        mean += probability * value;
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (auto const& [value, probability] : pmf) {
        double const difference = value - mean;
        second += probability * std::pow(difference, 2);
        third += probability * std::pow(difference, 3);
        fourth += probability * std::pow(difference, 4);
    }
    return {mean, second, third / std::pow(second, 1.5), fourth / (second * second)};
}

TEST(Cumulants, AreThoseOfTheExponentialLaw) {
    auto const cumulants = cumulants_of(exponential(2));  // (r - 1)! mean^r
    EXPECT_DOUBLE_EQ(cumulants.first, 2);
    EXPECT_DOUBLE_EQ(cumulants.second, 4);
    EXPECT_DOUBLE_EQ(cumulants.third, 16);
    EXPECT_DOUBLE_EQ(cumulants.fourth, 96);
}

TEST(Cumulants, WithoutVarianceAreDeterministic) {
    EXPECT_EQ(moments_of({7, 0, 0, 0}), deterministic(7));
    EXPECT_EQ(moments_of({7, -1e-20, 0, 0}), deterministic(7)) << "the rounding of a difference";
}

TEST(Cumulants, OfSmallQuantitiesDoNotUnderflow) {
    EXPECT_TRUE(near(moments_of(cumulants_of(exponential(1e-60))), exponential(1e-60)));
}

struct SumCase {
    Moments left;
    Moments right;
    Moments sum;
    char const* what;
};

class Sequence : public testing::TestWithParam<SumCase> {};

TEST_P(Sequence, AddsCumulants) {
    auto const& [left, right, sum, what] = GetParam();
    EXPECT_TRUE(near(left + right, sum)) << what;
    EXPECT_TRUE(near(right + left, sum)) << what;
}

INSTANTIATE_TEST_SUITE_P(
    Equation2, Sequence,
    testing::Values(
        SumCase{
            exponential(10), exponential(0.1), {10.1, 100.01, 1.999702037, 8.99880024}, "the body of MRM"},
        SumCase{exponential(1), uniform(0, 2), {2, 1.333333333, 1.299038106, 6.3}, "one of them symmetric"},
        SumCase{
            normal(5, 4), exponential(3), {8, 13, 1.152069638, 5.875739645}, "a normal one adds no shape"},
        SumCase{deterministic(7), exponential(2), {9, 4, 2, 9}, "a constant only shifts"}));

struct RandomSumCase {
    Moments count;
    Moments each;
    Moments sum;
    char const* what;
};

class RandomSum : public testing::TestWithParam<RandomSumCase> {};

TEST_P(RandomSum, HasTheCompoundCumulants) {
    auto const& [count, each, sum, what] = GetParam();
    EXPECT_TRUE(near(repeated(count, each), sum)) << what;
}

Moments const client_body{10.1, 100.01, 1.99970204, 8.99880024};

INSTANTIATE_TEST_SUITE_P(
    Equations3To7, RandomSum,
    testing::Values(
        RandomSumCase{moments_of_pmf({{2, 0.5}, {5, 0.3}, {9, 0.2}}),
                      moments_of_pmf({{1, 0.75}, {4, 0.25}}),
                      {7.525, 29.336875, 0.9691288586, 3.260463287},
                      "by enumeration; equation 7 as printed gives a kurtosis of 3.296"},
        RandomSumCase{moments_of_pmf({{0, 0.2}, {1, 0.5}, {6, 0.3}}),
                      moments_of_pmf({{0.5, 0.6}, {2, 0.3}, {7, 0.1}}),
                      {3.68, 23.8726, 1.61735309, 5.264088413},
                      "a count that may be 0, by enumeration"},
        RandomSumCase{deterministic(8),
                      moments_of_pmf({{1, 0.5}, {3, 0.5}}),
                      {16, 8, 0, 2.75},
                      "a fixed count of binary times"},
        RandomSumCase{{4, 4, 0.5, 3.25},
                      exponential(2),
                      {8, 32, 1.060660172, 4.5},
                      "compound Poisson: cumulants 4 r! 2^r"},
        RandomSumCase{{5, 20, 2.01246118, 9.05},
                      exponential(1),
                      exponential(5),
                      "a geometric sum of exponential times is exponential"},
        RandomSumCase{{100, 25, 0.5, 3.5},
                      client_body,
                      {1010, 12551.25, 0.2419034332, 3.100599296},
                      "a count that is known by its moments"},
        RandomSumCase{deterministic(1e6),
                      client_body,
                      {10100000, 100010000, 0.001999702037, 3.000005999},
                      "a client of MRM"},
        RandomSumCase{deterministic(5), exponential(3), {15, 45, 0.894427191, 4.2}, "not a scaling"},
        RandomSumCase{deterministic(2.5),
                      exponential(1),
                      {2.5, 2.5, 1.264911064, 5.4},
                      "a fractional count: 2.5 times the cumulants"},
        RandomSumCase{deterministic(0), exponential(1), deterministic(0), "nothing"},
        RandomSumCase{deterministic(-3), exponential(1), deterministic(0), "an empty loop"},
        RandomSumCase{deterministic(1), exponential(1), exponential(1), "once"},
        RandomSumCase{{3, 2, 0.5, 4}, deterministic(1), {3, 2, 0.5, 4}, "of ones: the count itself"},
        RandomSumCase{deterministic(3), deterministic(2), deterministic(6), "a product of numbers"}));

TEST(Scaling, IsOneQuantityNotManyOfThem) {
    EXPECT_TRUE(near(scaled(5, exponential(3)), {15, 225, 2, 9}));
    EXPECT_TRUE(near(scaled(-2, exponential(3)), {-6, 36, -2, 9}));
    EXPECT_EQ(scaled(0, exponential(3)), deterministic(0));
    EXPECT_EQ(scaled(3, deterministic(2)), deterministic(6));
}

struct BernoulliCase {
    double probability;
    Moments each;
    Moments result;
};

class BernoulliCondition : public testing::TestWithParam<BernoulliCase> {};

TEST_P(BernoulliCondition, MixesWithNothing) {
    auto const& [p, each, result] = GetParam();
    EXPECT_TRUE(near(mixture(p, each, deterministic(0)), result));
    EXPECT_TRUE(near(branch(bernoulli(p), each, deterministic(0)), result)) << "equation 8 says the same";
    EXPECT_TRUE(near(repeated(bernoulli(p), each), result)) << "as does a random sum";
}

INSTANTIATE_TEST_SUITE_P(
    Equation8, BernoulliCondition,
    testing::Values(BernoulliCase{0.1, deterministic(1), {0.1, 0.09, 2.666666667, 8.111111111}},
                    BernoulliCase{0.1, exponential(1), {0.1, 0.19, 6.544385671, 60.15789474}},
                    BernoulliCase{0.5, exponential(3), {1.5, 6.75, 2.694301256, 13}},
                    BernoulliCase{0.25, {4, 4.0 / 3, 0, 1.8}, {1, 3.333333333, 1.478850905, 3.582}},
                    BernoulliCase{0.9, normal(10, 4), {9, 12.6, -1.368344984, 4.546485261}}));

struct MixtureCase {
    double probability;
    Moments then;
    Moments otherwise;
    Moments mixed;
    char const* what;
};

class Mixture : public testing::TestWithParam<MixtureCase> {};

TEST_P(Mixture, HasTheMixedRawMoments) {
    auto const& [p, then, otherwise, mixed, what] = GetParam();
    EXPECT_TRUE(near(mixture(p, then, otherwise), mixed)) << what;
    EXPECT_TRUE(near(branch(bernoulli(p), then, otherwise), mixed)) << what;
    EXPECT_TRUE(near(mixture(1 - p, otherwise, then), mixed)) << what;
}

INSTANTIATE_TEST_SUITE_P(
    IfElse, Mixture,
    testing::Values(MixtureCase{0.3,
                                exponential(2),
                                {2, 1.0 / 3, 0, 1.8},
                                {2, 1.433333333, 2.79718014, 21.09572742},
                                "equal means; the sum of the two arms would have a variance of 3.1"},
                    MixtureCase{0.5,
                                deterministic(4),
                                deterministic(10),
                                {7, 9, 0, 1},
                                "two values; the sum of the two arms would have a variance of 29"},
                    MixtureCase{0.75,
                                normal(100, 25),
                                exponential(50),
                                {87.5, 1112.5, -0.5074076883, 8.477812145},
                                "different means"}));

TEST(Mixture, OfOneAlternativeIsThatOne) {
    EXPECT_TRUE(near(mixture(1, exponential(2), exponential(7)), exponential(2)));
    EXPECT_TRUE(near(mixture(0, exponential(2), exponential(7)), exponential(7)));
    EXPECT_EQ(mixture(0.5, deterministic(3), deterministic(3)), deterministic(3));
}

TEST(Mixture, KeepsItsDigitsFarFromZero) {
    auto const mixed = mixture(0.5, deterministic(1e9 + 1), deterministic(1e9 + 3));
    EXPECT_DOUBLE_EQ(mixed.variance, 1);
    EXPECT_DOUBLE_EQ(mixed.kurtosis, 1);
}

TEST(Branch, TakesAFractionOfAnInvocation) {
    EXPECT_TRUE(near(branch({0.3, 0.05, 0.4, 2.6}, exponential(2), {2, 1.0 / 3, 0, 1.8}),
                     {2, 1.433333333, 2.79718014, 17.95457004}));
    EXPECT_TRUE(
        near(branch({0.3, 0.05, 0.4, 2.6}, deterministic(1), deterministic(0)), {0.3, 0.05, 0.4, 2.6}))
        << "of one: the condition itself";
    EXPECT_TRUE(near(branch(deterministic(1), exponential(2), normal(5, 1)), exponential(2)));
    EXPECT_TRUE(near(branch(deterministic(0), exponential(2), normal(5, 1)), normal(5, 1)));
}

TEST(Bernoulli, IsDeterministicAtItsEnds) {
    EXPECT_EQ(bernoulli(0), deterministic(0));
    EXPECT_EQ(bernoulli(1), deterministic(1));
    EXPECT_TRUE(near(bernoulli(0.1), {0.1, 0.09, 2.66666667, 8.11111111}));
}

TEST(VectorScaling, Tables2And3) {
    auto const condition = bernoulli(0.1);
    auto const scaling =
        repeated(deterministic(10000), branch(condition, deterministic(1), deterministic(0)));
    // The printed variance, 901, comes from a measured condition; independent throws give 900.
    EXPECT_TRUE(near(scaling, {1000, 900, 0.0266666667, 3.00051111}));
}

// The condition is evaluated N (N - 1) / 2 = 499500 times for N = 1000; the tuple is that of a =
// -0.00703817593, b = -0.634840385, which no law has.
TEST(SelectionSort, Tables4And5) {
    Moments const condition{0.010964965, 0.0302822823, 8.27688761, 59.638716};
    EXPECT_FALSE(attainable(condition));
    EXPECT_TRUE(
        near(repeated(deterministic(499500), condition), {5477, 15126, 0.0117111438, 3.00011339}, 1e-8));
    EXPECT_TRUE(near(repeated(deterministic(499500), {1.1e-2, 3.0e-2, 8.3, 60}),
                     {5494.5, 14985, 0.011743846, 3.00011411}, 1e-8))
        << "from the four figures as printed";
}

TEST(Attainable, NeedsKurtosisAboveTheSquareOfTheSkewness) {
    EXPECT_TRUE(attainable(exponential(1)));
    EXPECT_TRUE(attainable(bernoulli(0.3))) << "on the boundary, but for rounding";
    EXPECT_TRUE(attainable(deterministic(-3)));
    EXPECT_FALSE(attainable({1, 1, 2, 4.9}));
    EXPECT_FALSE(attainable({1, -1, 0, 3}));
    EXPECT_FALSE(attainable({1, 0, 1, 3})) << "no spread, but a shape";
    EXPECT_FALSE(attainable({1, std::numeric_limits<double>::infinity(), 0, 3}));
    EXPECT_FALSE(attainable({5e-3, 2, 4, 16.9})) << "skewness 4 needs 17";
}

// Laws on random attainable tuples.
class RandomMoments : public testing::Test {
protected:
    Moments draw() {
        double const skewness = uniform_(engine_) * 6 - 3;
        return {uniform_(engine_) * 20, uniform_(engine_) * 30, skewness,
                skewness * skewness + 1 + 10 * uniform_(engine_)};
    }
    std::mt19937_64 engine_{20261122};
    std::uniform_real_distribution<double> uniform_{0, 1};
};

TEST_F(RandomMoments, RepeatingIsAddingRepeatedly) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const each = draw();
        Moments sum = each;
        for (int count = 2; count <= 7; ++count) {
            sum = sum + each;
            EXPECT_TRUE(near(repeated(deterministic(count), each), sum, 1e-9)) << count;
        }
    }
}

TEST_F(RandomMoments, LoopsOfLoopsAreOneLoop) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const each = draw();
        auto const nested = repeated(deterministic(3), repeated(deterministic(5), each));
        EXPECT_TRUE(near(nested, repeated(deterministic(15), each), 1e-9));
        EXPECT_TRUE(near(repeated(deterministic(3), each) + repeated(deterministic(4), each),
                         repeated(deterministic(7), each), 1e-9));
    }
}

TEST_F(RandomMoments, RandomSumsOfRandomSumsAreAssociative) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const outer = draw();
        auto const inner = draw();
        auto const each = draw();
        EXPECT_TRUE(
            near(repeated(repeated(outer, inner), each), repeated(outer, repeated(inner, each)), 1e-6));
    }
}

TEST_F(RandomMoments, SumsCommuteAndAssociate) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const a = draw();
        auto const b = draw();
        auto const c = draw();
        EXPECT_EQ(a + b, b + a);
        EXPECT_TRUE(near((a + b) + c, a + (b + c), 1e-9));
    }
}

TEST_F(RandomMoments, ScalingDistributesOverSums) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const a = draw();
        auto const b = draw();
        double const factor = uniform_(engine_) * 8 - 4;
        EXPECT_TRUE(near(scaled(factor, a + b), scaled(factor, a) + scaled(factor, b), 1e-9));
    }
}

TEST_F(RandomMoments, SumsAndMixturesOfAttainableOnesAreAttainable) {
    for (int trial = 0; trial < 100; ++trial) {
        auto const a = draw();
        auto const b = draw();
        EXPECT_TRUE(attainable(a + b));
        EXPECT_TRUE(attainable(mixture(uniform_(engine_), a, b)));
        EXPECT_TRUE(attainable(repeated(deterministic(4), a)));
    }
}

}  // namespace
}  // namespace parcast
