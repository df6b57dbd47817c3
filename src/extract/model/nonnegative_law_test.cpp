#include "extract/model/nonnegative_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parcast::extract {
namespace {

TEST(NonnegativeLaw, ANormalLawIsClippedAsMuchAsItsIntegralSays) {
    // A normal law gives phi(0.5) - 0.5 (1 - Phi(0.5)) = 0.19780, as a share of 0.5.
    EXPECT_NEAR(clipped_share({0.5, 1, 0, 3}), 0.1978 / 0.5, 0.01);
    EXPECT_LT(clipped_share({5, 1, 0, 3}), 1e-6);
    EXPECT_EQ(clipped_share({1, 1, 2, 9}), 0) << "exponential";
}

TEST(NonnegativeLaw, WhatIsAlreadyALawOfTimesStays) {
    for (Moments const& moments : {Moments{5, 1, 0, 3}, Moments{1, 1, 2, 9}, Moments{3, 0, 0, 3}})
        EXPECT_EQ(nonnegative(moments), moments);
}

// Law. n_body: the parts of a segment had a deviation of 9 times their mean and a skewness of 0.
TEST(NonnegativeLaw, MeanAndVarianceAreKeptAndNextToNothingIsClipped) {
    for (double const cv : {0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.8, 5.0, 9.0}) {
        for (double const skewness : {-2.0, 0.0, 0.5, 1.0, 2.3, 4.0, 8.0, 30.0}) {
            for (double const above : {0.0, 0.1, 2.0, 10.0}) {
                Moments const given{7, 49 * cv * cv, skewness, skewness * skewness + 1 + above};
                auto const time = nonnegative(given);
                EXPECT_EQ(time.mean, given.mean);
                EXPECT_EQ(time.variance, given.variance);
                EXPECT_TRUE(attainable(time)) << cv << " " << skewness << " " << above;
                EXPECT_LT(clipped_share(time), 0.001 + 1e-9) << cv << " " << skewness << " " << above;
            }
        }
    }
}

TEST(NonnegativeLaw, ATimeOfWhichLocksHoldEverythingIsNoLaw) {
    EXPECT_EQ(nonnegative({0, 4, 0, 3}), deterministic(0));
}

TEST(NonnegativeLaw, TheCertainPartIsWhatNearlyAllOutcomesHave) {
    EXPECT_NEAR(certain_part({10, 1, 0, 3}), 10 - 3.09, 0.05);
    EXPECT_EQ(certain_part({1, 1, 0, 3}), 0);
    EXPECT_NEAR(certain_part({3, 1, 0, 1}), 2, 1e-9) << "two points, 2 and 4";
    EXPECT_EQ(certain_part({3, 0, 0, 3}), 3);
}

}  // namespace
}  // namespace parcast::extract
