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

INSTANTIATE_TEST_SUITE_P(Durations, TimeText,
                         testing::Values(Case{0, "0 ns", "nothing"},
                                         Case{7, "7 ns", "no fraction of a ns exists"},
                                         Case{1'234, "1.23 us", "three digits"},
                                         Case{999'900, "1 ms", "rounding moves to the next unit"},
                                         Case{112'000'000, "112 ms", "whole"},
                                         Case{4'970'000'000, "4.97 s", "seconds"},
                                         Case{7'200'000'000'000, "7200 s", "no exponent for long times"},
                                         Case{-1'500, "-1.5 us", "a difference may be negative"}));

}  // namespace
}  // namespace parcast
