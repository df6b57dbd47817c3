#include "analysis/comparison.h"

#include <array>
#include <map>

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

constexpr Duration ms(std::int64_t count) {
    return Duration{count * 1'000'000};
}

// 1000 ms of work, perfectly parallel.
constexpr PredictedTimes perfect{{ms(1000), ms(1000), ms(0)}, {ms(500), ms(1000), ms(0)}};

std::map<DeviationPart, double> shares(Comparison const& comparison) {
    std::map<DeviationPart, double> shares;
    for (Deviation const& cause : comparison.causes)
        shares[cause.part] = cause.share;
    return shares;
}

TEST(Comparison, BestIsFastestOverFastestAndTheRangeIsRunByRun) {
    std::array const one{RunTimes{ms(1000), ms(1000), ms(0)}, RunTimes{ms(1200), ms(1200), ms(0)}};
    std::array const many{RunTimes{ms(500), ms(1000), ms(0)}, RunTimes{ms(800), ms(1600), ms(0)}};
    Comparison const comparison = compare(perfect, one, many, 2);
    EXPECT_DOUBLE_EQ(comparison.best, 2);
    EXPECT_DOUBLE_EQ(comparison.error, 0);
    EXPECT_EQ(comparison.measured, (Spread{1.75, 1.5, 2}));
    EXPECT_TRUE(comparison.is_within_range);
}

TEST(Comparison, WorkThatGrowsOnManyCpusIsUserTime) {
    // Memory: 20 % more processor time on two CPUs, and so 20 % more time.
    std::array const one{RunTimes{ms(1000), ms(1000), ms(0)}};
    std::array const many{RunTimes{ms(600), ms(1200), ms(0)}};
    Comparison const comparison = compare(perfect, one, many, 2);
    EXPECT_NEAR(comparison.error, 0.2, 1e-12) << "2.0 predicted, 1.67 measured";
    EXPECT_NEAR(comparison.user_growth, 0.2, 1e-12);
    EXPECT_EQ(comparison.causes.front().part, DeviationPart::user);
    EXPECT_NEAR(shares(comparison)[DeviationPart::user], 0.2, 1e-12);
    EXPECT_NEAR(shares(comparison)[DeviationPart::idle], 0, 1e-12);
}

// A machine whose two busy CPUs have 0.8 of their speed each was taken for one whose code does not slow down.
TEST(Comparison, GrowthThatWasPredictedExplainsNothing) {
    PredictedTimes const slowed{{ms(1000), ms(1000), ms(0)}, {ms(625), ms(1250), ms(0)}};
    std::array const one{RunTimes{ms(1000), ms(1000), ms(0)}};
    std::array const many{RunTimes{ms(625), ms(1250), ms(0)}};
    Comparison const comparison = compare(slowed, one, many, 2);
    EXPECT_NEAR(comparison.user_growth, 0.25, 1e-12);
    EXPECT_NEAR(comparison.predicted_user_growth, 0.25, 1e-12);
    for (Deviation const& cause : comparison.causes)
        EXPECT_NEAR(cause.share, 0, 1e-12) << name_of(cause.part);
}

TEST(Comparison, GrowthBeyondThePredictedOneIsUserTime) {
    PredictedTimes const slowed{{ms(1000), ms(1000), ms(0)}, {ms(625), ms(1250), ms(0)}};
    std::array const one{RunTimes{ms(1000), ms(1000), ms(0)}};
    std::array const many{RunTimes{ms(750), ms(1500), ms(0)}};
    EXPECT_NEAR(shares(compare(slowed, one, many, 2))[DeviationPart::user], 250.0 / 1250, 1e-12);
}

TEST(Comparison, TimeThatNobodyUsesIsIdling) {
    // Wake-ups that take long: 100 ms in which each of two processors idles half of the time.
    std::array const one{RunTimes{ms(1000), ms(900), ms(100)}};
    std::array const many{RunTimes{ms(550), ms(900), ms(100)}};
    Comparison const comparison = compare(perfect, one, many, 2);
    EXPECT_EQ(comparison.causes.front().part, DeviationPart::idle);
    EXPECT_NEAR(shares(comparison)[DeviationPart::idle], 0.1, 1e-12);
}

TEST(Comparison, WhatOneCpuIdlesOtherwiseThanPredictedIsItsOwnPart) {
    // The real program waits 500 ms for a disk on one CPU, which the prediction hides behind work on both.
    std::array const one{RunTimes{ms(1500), ms(1000), ms(0)}};
    std::array const many{RunTimes{ms(1000), ms(1000), ms(0)}};
    Comparison const comparison = compare(perfect, one, many, 2);
    EXPECT_NEAR(shares(comparison)[DeviationPart::one_cpu], -1.0 / 3, 1e-12);
    EXPECT_NEAR(shares(comparison)[DeviationPart::idle], 2.0 / 3, 1e-12);
}

TEST(Comparison, ThePartsSumToTheError) {
    PredictedTimes const predicted{{ms(970), ms(930), ms(17)}, {ms(531), ms(951), ms(19)}};
    std::array const one{RunTimes{ms(1013), ms(961), ms(41)}};
    std::array const many{RunTimes{ms(617), ms(1003), ms(79)}};
    Comparison const comparison = compare(predicted, one, many, 2);
    double sum = 0;
    for (Deviation const& cause : comparison.causes)
        sum += cause.share;
    EXPECT_NEAR(sum, comparison.predicted / comparison.best - 1, 1e-12);
}

}  // namespace
}  // namespace parcast::analysis
