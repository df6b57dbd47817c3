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

}  // namespace
}  // namespace parcast
