#include "report/format.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

TEST(Format, SpeedUpsKeepThreeDigitsAcrossPowersOfTen) {
    EXPECT_EQ(speed_up_text(1.0), "1.00");
    EXPECT_EQ(speed_up_text(6.966), "6.97");
    EXPECT_EQ(speed_up_text(9.996), "10.0") << "rounding adds a digit before the point";
    EXPECT_EQ(speed_up_text(63.94), "63.9");
    EXPECT_EQ(speed_up_text(99.96), "100");
    EXPECT_EQ(speed_up_text(0.98765), "0.99") << "a slow-down is a number too";
    EXPECT_EQ(speed_up_text(0.9993), "1.00") << "not below a bound of 1.00";
    EXPECT_EQ(speed_up_text(0.0412), "0.0412") << "nor does a large one become nothing";
    EXPECT_EQ(speed_up_text(0.0), "0.00");
    EXPECT_EQ(three_digits(1234.4), "1234") << "digits before the point are never zeroed";
}

TEST(Format, BytesAreDecimal) {
    EXPECT_EQ(bytes_text(1), "1 byte");
    EXPECT_EQ(bytes_text(999), "999 bytes");
    EXPECT_EQ(bytes_text(412'000), "412 kB");
    EXPECT_EQ(bytes_text(1'500'000'000), "1.50 GB");
}

// 1.8e20 ns of work were "-2562048 h".
TEST(TaskTime, BeyondWhatAnIntegerHoldsIsNotNegative) {
    EXPECT_EQ(task_time_text(3600e9 * 5e7), "50000000 h");
    EXPECT_EQ(task_time_text(3600e9 * 1e6), "1000000 h");
}

TEST(TaskTime, IsSaidAsEveryOtherTime) {
    EXPECT_EQ(task_time_text(0), "0 s");
    EXPECT_EQ(task_time_text(4.97e9), "4.97 s");
}

}  // namespace
}  // namespace parcast::report
