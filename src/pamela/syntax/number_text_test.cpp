#include "pamela/syntax/number_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace parcast::pamela {
namespace {

TEST(NumberIn, TakesDecimalNumbersAlone) {
    EXPECT_EQ(number_in("10"), 10);
    EXPECT_EQ(number_in(".5"), 0.5);
    EXPECT_EQ(number_in("-2.5e+3"), -2500);
    EXPECT_EQ(number_in("5e-3"), 0.005);
}

// What strtod takes beside them.
TEST(NumberIn, TakesNoBlanksNoHexadecimalDigitsAndNoWords) {
    for (auto const* const text :
         {"", " 1", "1 ", "0x10", "1p3", "nan", "inf", "infinity", "+1", "1,5", "1e", "-"})
        EXPECT_EQ(number_in(text), std::nullopt) << text;
}

TEST(NumberIn, RefusesWhatIsTooLargeAndTakesWhatIsTooSmallForZero) {
    EXPECT_EQ(number_in("1e999"), std::nullopt);
    EXPECT_EQ(number_in("-1e999"), std::nullopt);
    EXPECT_EQ(number_in("1e-999"), 0);
}

TEST(NumberText, ReadsBackAsTheSameNumber) {
    for (double const value : {0.1, 1.0 / 3, 1e300, 5e-324, -123456789.125, 0.0})
        EXPECT_EQ(number_in(number_text(value)), value) << value;
}

}  // namespace
}  // namespace parcast::pamela
