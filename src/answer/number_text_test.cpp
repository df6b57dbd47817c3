#include "answer/number_text.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(NumberText, HasSixDigits) {
    EXPECT_EQ(number_text(10.1056403), "10.1056");
    EXPECT_EQ(number_text(0.0123456789), "0.0123457");
    EXPECT_EQ(number_text(-0.5), "-0.500000");
    EXPECT_EQ(number_text(0), "0");
}

TEST(NumberText, KeepsAllDigitsBeforeThePoint) {
    EXPECT_EQ(number_text(10125085.2), "10125085");
    EXPECT_EQ(number_text(1e14), "100000000000000");
}

TEST(NumberText, RoundsUpToTheNextPowerOfTen) {
    EXPECT_EQ(number_text(9.9999999), "10.0000");
    EXPECT_EQ(number_text(999999.9), "1000000");
}

TEST(NumberText, UsesExponentsWhereAPointDoesNotHelp) {
    EXPECT_EQ(number_text(1.2345678e-7), "1.23457e-07");
    EXPECT_EQ(number_text(1e20), "1e+20");
}

TEST(ExactNumberText, IsAsShortAsItCanBe) {
    EXPECT_EQ(exact_number_text(0.1), "0.1");
    EXPECT_EQ(exact_number_text(1e6), "1000000");
    EXPECT_EQ(exact_number_text(-3), "-3");
    EXPECT_EQ(exact_number_text(1.0 / 3), "0.3333333333333333");
}

}  // namespace
}  // namespace parcast
