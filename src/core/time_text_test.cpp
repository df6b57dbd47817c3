#include "core/time_text.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

struct Case {
    std::int64_t ns;
    char const* text;
    char const* because;
};

class TimeText : public testing::TestWithParam<Case> {};

TEST_P(TimeText, HasThreeDigitsAndAUnitThatFits) {
    EXPECT_EQ(time_text(Duration{GetParam().ns}), GetParam().text) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(
    Durations, TimeText,
    testing::Values(Case{0, "0 s", "nothing needs no small unit"},
                    Case{1, "1 ns", "whole nanoseconds have no decimals"},
                    Case{999, "999 ns", "the last one"}, Case{1'000, "1.00 µs", "the first microsecond"},
                    Case{12'345, "12.3 µs", "one decimal from ten on"},
                    Case{123'456, "123 µs", "none from a hundred on"},
                    Case{999'499, "999 µs", "still rounds down"},
                    Case{999'500, "1.00 ms", "rounds up into the next unit, not to 1000 µs"},
                    Case{9'830'000'000, "9.83 s", "the common case"},
                    Case{999'700'000, "1.00 s", "rounds up into seconds"},
                    Case{1'000'000'000'000, "16.7 min", "a thousand seconds"},
                    Case{36'000'000'000'000, "10.0 h", "600 minutes"},
                    Case{10'000'000'000'000'000, "2778 h", "hours are the last unit and keep their digits"},
                    Case{-1'500'000, "-1.50 ms", "a difference can be negative"}));

}  // namespace
}  // namespace parcast
