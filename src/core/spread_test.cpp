#include "core/spread.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(Spread, OneValueIsItsOwnMedianAndRange) {
    EXPECT_EQ(spread_of({1.5}), (Spread{1.5, 1.5, 1.5}));
}

TEST(Spread, OneOutlierDoesNotMoveTheMedian) {
    EXPECT_EQ(spread_of({2, 90, 1, 3, 2}), (Spread{2, 1, 90}));
}

TEST(Spread, TheMedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle) {
    EXPECT_EQ(spread_of({4, 1, 3, 2}), (Spread{2.5, 1, 4}));
}

// Binomial: 1 - 2 (1 + n) / 2^n with the two outermost of n values left out.
TEST(MedianInterval, LeavesOutAsManyValuesAsAreNotNeeded) {
    EXPECT_EQ(median_interval({3, 1, 2, 5, 4}), (Spread{3, 1, 5})) << "0.94";
    EXPECT_EQ(median_interval({1, 2, 3, 4, 5, 6, 7}), (Spread{4, 1, 7})) << "0.875 without the outermost";
    EXPECT_EQ(median_interval({1, 2, 3, 4, 5, 6, 7, 8}), (Spread{4.5, 2, 7})) << "0.93";
    EXPECT_EQ(median_interval({9}), (Spread{9, 9, 9}));
}

}  // namespace
}  // namespace parcast
