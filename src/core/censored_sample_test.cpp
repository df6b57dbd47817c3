#include "core/censored_sample.h"

#include <cmath>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace parcast {
namespace {

double uniform(std::mt19937_64& bits) {
    return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53;
}

CensoredSample sample_of(std::initializer_list<double> whole, std::initializer_list<double> cut_off) {
    CensoredSample sample;
    for (double const value : whole)
        sample.add(value);
    for (double const value : cut_off)
        sample.add_cut_off(value);
    return sample;
}

TEST(CensoredSample, WithoutCutOffValuesItIsTheSample) {
    auto const moments = sample_of({5, 1, 3, 3}, {}).moments();
    EXPECT_DOUBLE_EQ(moments.mean, 3);
    EXPECT_NEAR(moments.cv, std::sqrt(8.0 / 3) / 3, 1e-12) << "by n - 1";
}

// S falls to 4/5 at 1, not at 2, to 4/5 * 1/2 at 3 and to 0 at 4.
TEST(CensoredSample, ACutOffValueCountsAsLongAsItIsKnown) {
    auto const moments = sample_of({1, 3, 4}, {2, 2}).moments();
    EXPECT_DOUBLE_EQ(moments.mean, 1 + 0.8 * 2 + 0.4 * 1);
    EXPECT_NEAR(moments.cv, std::sqrt((1 + 0.8 * 8 + 0.4 * 7 - 9) * 3 / 2) / 3, 1e-12);
}

TEST(CensoredSample, BeyondALongestValueThatIsCutOffItGoesOnExponentially) {
    auto const moments = sample_of({2}, {10}).moments();
    double const beyond = 10 / std::log(2);
    EXPECT_NEAR(moments.mean, 2 + 0.5 * 8 + 0.5 * beyond, 1e-12);
    double const square = 4 + 0.5 * (100 - 4) + 0.5 * 2 * beyond * (10 + beyond);
    EXPECT_NEAR(moments.cv, std::sqrt(square - moments.mean * moments.mean) / moments.mean, 1e-12);
}

TEST(CensoredSample, ValuesOfNoTimeAreAMeanOfNoTime) {
    auto const moments = sample_of({0, 0}, {0}).moments();
    EXPECT_EQ(moments.mean, 0);
    EXPECT_EQ(moments.cv, 0);
}

// Exponential pieces of mean 1 in windows of 2: whole ones alone have a mean of 0.57, half the integral of
// t (3 - t) e^-t up to 2.
TEST(CensoredSample, PiecesOfAWindowAreNotShorterForBeingCutOff) {
    std::mt19937_64 bits(1993);
    CensoredSample sample;
    double whole = 0;
    for (int window = 0; window < 20'000; ++window) {
        double left = 2;
        for (;;) {
            double const piece = -std::log(uniform(bits));
            if (piece > left)
                break;
            sample.add(piece);
            whole += piece;
            left -= piece;
        }
        sample.add_cut_off(left);
    }
    auto const moments = sample.moments();
    EXPECT_LT(whole / static_cast<double>(sample.count()), 0.6);
    EXPECT_NEAR(moments.mean, 1, 0.02) << "three standard errors of 40,000 pieces";
    EXPECT_NEAR(moments.cv, 1, 0.03);
}

TEST(CensoredSample, TwoAreAddedLikeOne) {
    auto sample = sample_of({1, 3}, {2});
    sample.add(sample_of({4}, {2}));
    EXPECT_EQ(sample.count(), 3);
    EXPECT_DOUBLE_EQ(sample.moments().mean, 3);
}

}  // namespace
}  // namespace parcast
