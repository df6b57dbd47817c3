#include "report/format.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

struct TimeCase {
    std::int64_t ns;
    char const* text;
    char const* because;
};

TEST(Format, TimesHaveThreeDigitsAndAUnitThatFits) {
    TimeCase const cases[] = {
        {0, "0 s", "nothing needs no small unit"},
        {1, "1 ns", "whole nanoseconds have no decimals"},
        {999, "999 ns", "the last one"},
        {1'000, "1.00 µs", "the first microsecond"},
        {12'345, "12.3 µs", "one decimal from ten on"},
        {123'456, "123 µs", "none from a hundred on"},
        {999'499, "999 µs", "still rounds down"},
        {999'500, "1.00 ms", "rounds up into the next unit, not to 1000 µs"},
        {9'830'000'000, "9.83 s", "the common case"},
        {999'700'000, "1.00 s", "rounds up into seconds"},
        {1'000'000'000'000, "16.7 min", "a thousand seconds"},
        {36'000'000'000'000, "10.0 h", "600 minutes"},
        {10'000'000'000'000'000, "2778 h", "hours are the last unit and keep their digits"},
        {-1'500'000, "-1.50 ms", "a difference can be negative"},
    };
    for (auto const& row : cases) {
        EXPECT_EQ(time_text(Duration{row.ns}), row.text) << row.because;
    }
}

TEST(Format, SpeedUpsKeepThreeDigitsAcrossPowersOfTen) {
    EXPECT_EQ(speed_up_text(1.0), "1.00");
    EXPECT_EQ(speed_up_text(6.966), "6.97");
    EXPECT_EQ(speed_up_text(9.996), "10.0") << "rounding adds a digit before the point";
    EXPECT_EQ(speed_up_text(63.94), "63.9");
    EXPECT_EQ(speed_up_text(99.96), "100");
    EXPECT_EQ(speed_up_text(0.98765), "0.988") << "a slow-down is a number too";
    EXPECT_EQ(speed_up_text(0.0), "0.00");
    EXPECT_EQ(three_digits(1234.4), "1234") << "digits before the point are never zeroed";
}

TEST(Format, SharesShowSmallButNotZero) {
    EXPECT_EQ(percent_text(0), "0 %");
    EXPECT_EQ(percent_text(1e-6), "<0.1 %");
    EXPECT_EQ(percent_text(0.004), "0.4 %");
    EXPECT_EQ(percent_text(0.0096), "1 %");
    EXPECT_EQ(percent_text(0.824), "82 %");
    EXPECT_EQ(percent_text(1.0), "100 %");
}

TEST(Format, CountsAreGroupedByThousands) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(61'204), "61,204");
    EXPECT_EQ(count_text(1'000'000), "1,000,000");
    EXPECT_EQ(count_text(-1'234), "-1,234");
    EXPECT_EQ(counted(1, "thread"), "1 thread");
    EXPECT_EQ(counted(2, "thread"), "2 threads");
}

TEST(Format, BytesAreDecimal) {
    EXPECT_EQ(bytes_text(1), "1 byte");
    EXPECT_EQ(bytes_text(999), "999 bytes");
    EXPECT_EQ(bytes_text(412'000), "412 kB");
    EXPECT_EQ(bytes_text(1'500'000'000), "1.50 GB");
}

}  // namespace
}  // namespace parcast::report
