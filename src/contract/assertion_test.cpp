#include "contract/assertion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::contract {
namespace {

using testing::HasSubstr;

Read<Assertion> parse(std::string_view text) {
    return parse_assertion(text, {});
}

struct GoodCase {
    char const* text;
    ContractFunction function;
    std::uint32_t cpus;
    Relation comparison;
    double number;
    char const* name;
    char const* word;
};

TEST(Assertion, IsAFunctionAComparisonAndAValueWithItsUnit) {
    using enum ContractFunction;
    GoodCase const cases[] = {
        {"speed_up(16) >= 11", speed_up, 16, Relation::at_least, 11, "", ""},
        {"time(8)<=120ms", time, 8, Relation::at_most, 120e6, "", ""},
        {"time(8) < 1.5 s", time, 8, Relation::less, 1.5e9, "", ""},
        {"time( 8 ) < 2e3us", time, 8, Relation::less, 2e6, "", ""},
        {"efficiency(8) >= 0.8", efficiency, 8, Relation::at_least, 0.8, "", ""},
        {"efficiency(8) > 80 %", efficiency, 8, Relation::more, 0.8, "", ""},
        {"limit(16) != \"lock\"", limit, 16, Relation::not_equal, 0, "", "lock"},
        {"limit(16) = no_thread", limit, 16, Relation::equal, 0, "", "no_thread"},
        {"limit(16) == none", limit, 16, Relation::equal, 0, "", "none"},
        {"held(\"write_list\", 16) < 10%", held, 16, Relation::less, 0.1, "write_list", ""},
        {"held(histogram.c:34, 4) < 0.1", held, 4, Relation::less, 0.1, "histogram.c:34", ""},
        {"findings = none", findings, 1, Relation::equal, 0, "", "none"},
        {"findings excludes 'spin_waiting'", findings, 1, Relation::excludes, 0, "", "spin_waiting"},
        {"regression(old/baseline.json, 16) < 5%", regression, 16, Relation::less, 0.05, "old/baseline.json",
         ""},
        {"regression('a, b.json', 2) < -1%", regression, 2, Relation::less, -0.01, "a, b.json", ""},
    };
    for (auto const& row : cases) {
        auto const found = parse(row.text);
        ASSERT_TRUE(found.has_value()) << row.text << ": " << found.error().error.message;
        EXPECT_EQ(found->function, row.function) << row.text;
        EXPECT_EQ(found->cpus, row.cpus) << row.text;
        EXPECT_EQ(found->comparison, row.comparison) << row.text;
        EXPECT_NEAR(found->number, row.number, 1e-9 * std::abs(row.number)) << row.text;
        EXPECT_EQ(found->name, row.name) << row.text;
        EXPECT_EQ(found->word, row.word) << row.text;
    }
}

TEST(Assertion, ReadsTheExampleOfEveryFunction) {
    for (auto const& row : contract_functions)
        EXPECT_TRUE(parse(row.example).has_value()) << row.example;
}

struct BadCase {
    char const* text;
    std::uint32_t column;
    std::uint32_t length;
    char const* message;
    char const* advice;
};

TEST(Assertion, MarksWhatIsWrongAndNamesTheNearest) {
    BadCase const cases[] = {
        {"sped_up(16) >= 11", 1, 7, "no function \"sped_up\"", "speed_up"},
        {"speed_up 16 >= 11", 10, 2, "must be \"(\"", "speed_up(16) >= 11"},
        {"speed_up(0) >= 11", 10, 1, "from 1 to 65536", ""},
        {"speed_up(1.5) >= 11", 10, 3, "whole number", ""},
        {"speed_up(16) == 11", 14, 2, "never exactly", ""},
        {"speed_up(16) >= 11x", 19, 1, "complete before", ""},
        {"speed_up(16) >=", 16, 1, "must be a number", ""},
        {"time(8) <= 120", 12, 3, "has a unit", "time(8) <= 120ms"},
        {"time(8) <= 120m", 15, 1, "no unit of time", ""},
        {"time(8) < 1e308s", 11, 5, "292 years", ""},
        {"time(8) < 1e19ns", 11, 4, "292 years", ""},
        {"efficiency(8) >= 80", 18, 2, "80 is 8000 %", "write 80%"},
        {"limit(8) != \"lok\"", 13, 5, "no limit is called \"lok\"", "lock"},
        {"limit(8) < \"lock\"", 10, 1, "== or !=", ""},
        {"held(16) < 10%", 6, 2, "a name and a comma", "held("},
        {"held(\"a, 16) < 10%", 6, 13, "no closing", ""},
        {"findings excludes \"spin_wating\"", 19, 13, "no finding", "spin_waiting"},
        {"findings > none", 10, 1, "compared by", ""},
        {"", 1, 1, "begins with", ""},
    };
    for (auto const& row : cases) {
        auto const found = parse(row.text);
        ASSERT_FALSE(found.has_value()) << row.text;
        EXPECT_EQ(found.error().column, row.column) << row.text;
        EXPECT_EQ(found.error().length, row.length) << row.text;
        EXPECT_THAT(found.error().error.message, HasSubstr(row.message)) << row.text;
        EXPECT_THAT(found.error().error.advice, HasSubstr(row.advice)) << row.text;
    }
}

TEST(Assertion, CaretsStandBelowWhatTheyMark) {
    auto const found = parse("time(8) <= 120m");
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(excerpt(found.error(), "  "), "  time(8) <= 120m\n                ^\n");
}

TEST(Assertion, ColumnsInALineWithLettersOfSeveralBytesAreCountedInLetters) {
    EXPECT_EQ(excerpt({{}, "\xc3\xa9 x", 4, 1}, ""), "\xc3\xa9 x\n  ^\n");
}

}  // namespace
}  // namespace parcast::contract
