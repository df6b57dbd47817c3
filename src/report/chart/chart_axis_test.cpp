#include "report/chart/chart_axis.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(ChartAxis const& axis) {
    std::vector<std::string> texts;
    for (double const tick : axis.ticks())
        texts.push_back(axis.label(tick));
    return texts;
}

TEST(ChartAxis, HasRoundTicks) {
    EXPECT_THAT(labels(ChartAxis::of({0, 48}, false, true)), ElementsAre("0", "10", "20", "30", "40", "50"));
    EXPECT_THAT(labels(ChartAxis::of({0, 1}, false, true)),
                ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
}

TEST(ChartAxis, BeginsAtZeroOnlyWhereDifferencesStayVisible) {
    EXPECT_EQ(ChartAxis::of({3, 30}, false, true).ticks().front(), 0);
    EXPECT_THAT(labels(ChartAxis::of({10.1, 10.12}, false, true)),
                ElementsAre("10.100", "10.105", "10.110", "10.115", "10.120"));
}

TEST(ChartAxis, WithoutMarginEndsWhereTheValuesDo) {
    auto const axis = ChartAxis::of({1, 500}, false, false);
    EXPECT_EQ(axis.place(1), 0);
    EXPECT_EQ(axis.place(500), 1);
}

TEST(ChartAxis, GrowsByRatioWhereItIsLogarithmic) {
    auto const axis = ChartAxis::of({1, 100}, true, false);
    EXPECT_THAT(labels(axis), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
    EXPECT_NEAR(axis.place(10), 0.5, 1e-12);
    EXPECT_THAT(labels(ChartAxis::of({1, 1e6}, true, false)),
                ElementsAre("1", "10", "100", "1000", "10000", "100000", "1000000"));
}

TEST(ChartAxis, IsLinearWhereAValueIsNotPositive) {
    EXPECT_FALSE(ChartAxis::of({0, 100}, true, false).is_logarithmic());
}

TEST(ChartAxis, OfOneValueLiesAroundIt) {
    auto const axis = ChartAxis::of({7, 7}, false, true);
    EXPECT_NEAR(axis.place(7), 0.5, 0.2);
    EXPECT_TRUE(std::isfinite(ChartAxis::of({0}, false, true).place(0)));
    EXPECT_TRUE(std::isfinite(ChartAxis::of({}, false, true).place(0)));
}

TEST(ChartAxis, LeavesOutWhatIsNotANumber) {
    auto const axis =
        ChartAxis::of({1, std::numeric_limits<double>::infinity(), std::nan(""), 3}, false, false);
    EXPECT_EQ(axis.place(3), 1);
}

}  // namespace
}  // namespace parcast::report
