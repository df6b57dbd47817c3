#include "ensemble/sample_moments.h"

#include <gtest/gtest.h>
#include <cmath>
#include <vector>

#include "ensemble/random_stream.h"

namespace parcast::ensemble {

namespace {

// By hand: mean 3, deviations -2 -1 0 0 3: sum of squares 14, of cubes 18, of fourth powers 98; n = 5.
// G1 = sqrt(20)/3 * (18/5) / (14/5)^1.5, G2 = 4/(3*2) * (6 * (98/5/(14/5)^2 - 3) + 6).
TEST(SampleMoments, AreThoseOfUnbiasedEstimators) {
    std::vector<double> const values{1, 2, 3, 3, 6};
    auto const found = sample_moments(values).moments;
    EXPECT_NEAR(found.mean, 3, 1e-14);
    EXPECT_NEAR(found.variance, 14.0 / 4, 1e-14);
    EXPECT_NEAR(found.skewness, std::sqrt(20.0) / 3 * 3.6 / std::pow(2.8, 1.5), 1e-13);
    EXPECT_NEAR(found.kurtosis, 3 + 2.0 / 3 * (6 * (19.6 / (2.8 * 2.8) - 3) + 6), 1e-13);
}

TEST(SampleMoments, ScaleAndShiftWithTheValues) {
    std::vector<double> const values{1, 2, 3, 3, 6};
    std::vector<double> far;
    for (double const value : values)
        far.push_back(1e9 + 1e-3 * value);
    auto const near = sample_moments(values);
    auto const found = sample_moments(far);
    // 1e9 has steps of 1.2e-7, which is 1e-4 of the deviation.
    EXPECT_NEAR(found.moments.variance / near.moments.variance, 1e-6, 1e-9);
    EXPECT_NEAR(found.moments.kurtosis, near.moments.kurtosis, 1e-2);
    EXPECT_NEAR(found.skewness.half_width(), near.skewness.half_width(), 1e-2);
}

TEST(SampleMoments, EqualValuesAreKnownExactly) {
    auto const found = sample_moments(std::vector<double>(10, 2.5));
    EXPECT_EQ(found.moments, deterministic(2.5));
    EXPECT_EQ(found.variance.high, 0);
}

struct Law {
    char const* name;
    double (*draw)(RandomStream&);
    Moments moments;
    double least_coverage;  // of the kurtosis, that of a heavy tail being seen too seldom
};

class Coverage : public testing::TestWithParam<Law> {};

// Some 950 of 1000 samples have an interval around the truth; six standard errors of that are 41, and
// jackknife intervals of 400 values are known to be a little narrow.
TEST_P(Coverage, IntervalsHoldTheTruthAboutNineteenTimesInTwenty) {
    auto const& law = GetParam();
    int mean = 0, variance = 0, skewness = 0, kurtosis = 0;
    auto const holds = [](ConfidenceInterval const& interval, double truth) {
        return interval.low <= truth && truth <= interval.high ? 1 : 0;
    };
    for (std::uint64_t sample = 0; sample < 1000; ++sample) {
        RandomStream random(7, sample);
        std::vector<double> values;
        for (int i = 0; i < 400; ++i)
            values.push_back(law.draw(random));
        auto const found = sample_moments(values);
        mean += holds(found.mean, law.moments.mean);
        variance += holds(found.variance, law.moments.variance);
        skewness += holds(found.skewness, law.moments.skewness);
        kurtosis += holds(found.kurtosis, law.moments.kurtosis);
    }
    EXPECT_GT(mean, 905);
    EXPECT_LT(mean, 990);
    EXPECT_GT(variance, 880);
    EXPECT_LT(variance, 990);
    EXPECT_GT(skewness, 1000 * law.least_coverage);
    EXPECT_GT(kurtosis, 1000 * law.least_coverage);
}

INSTANTIATE_TEST_SUITE_P(SampleMoments, Coverage,
                         testing::Values(Law{"uniform",
                                             [](RandomStream& random) { return random.unit(); },
                                             {0.5, 1.0 / 12, 0, 1.8},
                                             0.85},
                                         Law{"exponential",
                                             [](RandomStream& random) { return -std::log(random.unit()); },
                                             {1, 1, 2, 9},
                                             0.35}),
                         [](auto const& law) { return law.param.name; });

}  // namespace

}  // namespace parcast::ensemble
