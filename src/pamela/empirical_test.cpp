#include "pamela/empirical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace parcast::pamela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Samples, AreNumbersWithAnythingUsualBetweenThem) {
    EXPECT_THAT(*samples_in("1, 2.5;3e2\n% measured at night\n-4 # and one more\n+5\t6\r\n", "t"),
                ElementsAre(1, 2.5, 300, -4, 5, 6));
}

TEST(Samples, WhatIsNoNumberHasItsLine) {
    auto const result = samples_in("1\n2\n3 ms\n", "times.txt");
    ASSERT_FALSE(result);
    EXPECT_EQ(describe(result.error()), "times.txt:3: 'ms' is no number");
    EXPECT_THAT(samples_in("1", "t").error().message, HasSubstr("two samples or more"));
    EXPECT_FALSE(samples_in("", "t"));
    EXPECT_FALSE(samples_in("nan 1 2", "t"));
}

// By hand: mean 4, deviations -3 -2 -1 0 6, sums of their powers 50, 180, 1394.
TEST(Samples, MomentsAreThoseOfTheTextbooks) {
    auto const found = moments_of_samples({1, 2, 3, 4, 10});
    EXPECT_DOUBLE_EQ(found.moments.mean, 4);
    EXPECT_DOUBLE_EQ(found.moments.variance, 50. / 4);
    EXPECT_NEAR(found.moments.skewness, 36 / std::pow(10., 1.5), 1e-12);
    EXPECT_NEAR(found.moments.kurtosis, 278.8 / 100, 1e-12);
}

// For the mean, leaving out one sample at a time gives the textbook's s / sqrt(n) exactly.
TEST(Samples, TheStandardErrorOfTheMeanIsTheTextbooks) {
    std::vector<double> samples;
    for (int i = 0; i < 1000; ++i)
        samples.push_back(1e6 + (i * 7919) % 1000);
    auto const found = moments_of_samples(samples);
    EXPECT_NEAR(found.standard_errors.mean, std::sqrt(found.moments.variance / 1000), 1e-9);
    // Uniform: the variance of the sample variance is (kurtosis - 1) variance^2 / n, nearly.
    EXPECT_NEAR(found.standard_errors.variance, found.moments.variance * std::sqrt(0.8 / 1000),
                0.01 * found.moments.variance * std::sqrt(0.8 / 1000));
}

TEST(Samples, EqualOnesHaveNoVariance) {
    auto const found = moments_of_samples({3, 3, 3});
    EXPECT_EQ(found.moments, (Moments{3, 0, 0, 3}));
    EXPECT_EQ(found.standard_errors.mean, 0);
}

}  // namespace
}  // namespace parcast::pamela
