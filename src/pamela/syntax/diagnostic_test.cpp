#include "pamela/syntax/diagnostic_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::pamela {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string said(std::string const& text, TextRange where) {
    DiagnosticList list(text, "m.pam");
    list.error(where, "wrong");
    return describe(std::move(list).in_order_of_the_text(), text);
}

TEST(Diagnostics, TabsBeforeTheCaretAreKept) {
    EXPECT_EQ(said("\ta = b", {5, 6}), "m.pam:1:6: error: wrong\n    1 | \ta = b\n      | \t    ^\n");
}

TEST(Diagnostics, LettersOfSeveralBytesTakeOneColumnOfTheScreen) {
    EXPECT_THAT(said("% \xcf\x84\xcf\x83 x", {7, 8}), HasSubstr("      |      ^\n"));
}

TEST(Diagnostics, ALetterOfSeveralBytesHasOneCaretAndOneColumn) {
    EXPECT_EQ(said("\xc3\xa9 = \xc3\xa9", {5, 7}),
              "m.pam:1:5: error: wrong\n    1 | \xc3\xa9 = \xc3\xa9\n      |     ^\n");
}

TEST(Diagnostics, WhatATerminalWouldObeyIsNotPrinted) {
    EXPECT_THAT(said("a \x1b[31m b", {0, 1}), Not(HasSubstr("\x1b")));
}

TEST(Diagnostics, ALongLineIsShownAroundTheCaret) {
    std::string const text = std::string(5000, 'a') + "X" + std::string(5000, 'b');
    auto const shown = said(text, {5000, 5001});
    EXPECT_THAT(shown, HasSubstr("aXb"));
    EXPECT_LT(shown.size(), 500U);
}

TEST(Diagnostics, TheEndOfTheTextIsAPlace) {
    EXPECT_THAT(said("", {0, 0}), HasSubstr("m.pam:1:1: error: wrong"));
    EXPECT_THAT(said("a\n", {2, 2}), HasSubstr("m.pam:2:1: error: wrong"));
}

TEST(Diagnostics, StandInTheOrderOfTheTextAndAreSaidOnce) {
    std::string const text = "one\ntwo\n";
    DiagnosticList list(text, "m");
    list.warning({4, 7}, "second");
    list.error({0, 3}, "first");
    list.warning({4, 7}, "second");
    auto const all = std::move(list).in_order_of_the_text();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].message, "first");
}

TEST(Diagnostics, ThousandsOfErrorsEndAtThirty) {
    std::string const text(10'000, 'a');
    DiagnosticList list(text, "m");
    for (std::uint32_t i = 0; i < 10'000; ++i)
        list.error({i, i + 1}, "wrong");
    EXPECT_TRUE(list.is_full());
    EXPECT_EQ(std::move(list).in_order_of_the_text().size(), 30U);
}

}  // namespace
}  // namespace parcast::pamela
