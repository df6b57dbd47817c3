#include "cli/options/mean_and_cv.h"

#include <gtest/gtest.h>

namespace parcast::cli {
namespace {

TEST(MeanAndCv, IsOneNumberOrTwo) {
    auto const both = parse_mean_and_cv("12.5,2");
    ASSERT_TRUE(both);
    EXPECT_EQ(both->mean, 12.5);
    EXPECT_EQ(both->cv, 2);
    auto const mean = parse_mean_and_cv("1e3");
    ASSERT_TRUE(mean);
    EXPECT_EQ(mean->mean, 1000);
    EXPECT_EQ(mean->cv, 1) << "exponential";
}

TEST(MeanAndCv, RefusesWhatIsNoNumber) {
    for (auto const* text : {"", ",", "12,", ",2", "12.5 2", "12,2,3", "twelve", "12ms"})
        EXPECT_EQ(parse_mean_and_cv(text).error().code, ErrorCode::malformed) << text;
    for (auto const* text : {"-1", "1,-2", "inf", "nan,1", "1,inf"})
        EXPECT_EQ(parse_mean_and_cv(text).error().code, ErrorCode::out_of_range) << text;
}

}  // namespace
}  // namespace parcast::cli
