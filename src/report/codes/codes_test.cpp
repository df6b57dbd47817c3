#include "report/codes/codes.h"

#include <array>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::HasSubstr;

std::span<CodeRow const> rows_of(CodeKind kind) {
    return code_tables()[static_cast<std::size_t>(kind)].rows;
}

TEST(Codes, EachKindOfFindingHasItsRow) {
    auto const rows = rows_of(CodeKind::finding);
    ASSERT_EQ(rows.size(), finding_names.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].code, finding_names[i]) << "in the order of FindingKind";
}

TEST(Codes, EachErrorCodeHasItsRow) {
    auto const rows = rows_of(CodeKind::error);
    ASSERT_GT(rows.size(), static_cast<std::size_t>(ErrorCode::bug));
    EXPECT_EQ(code_of(Error{ErrorCode::not_found, "", {}}), "not_found");
    EXPECT_EQ(code_of(Error{ErrorCode::unasked, "", {}}), "usage");
    EXPECT_EQ(code_of(Error{ErrorCode::impossible, "", {}}), "deadlock");
    EXPECT_EQ(code_of(Error{ErrorCode::no_program, "", {}}), "program_not_found");
    EXPECT_EQ(code_of(Error{ErrorCode::bug, "", {}}), "bug");
}

TEST(Codes, AMessageCanHaveACloserCode) {
    EXPECT_EQ(code_of(Error{ErrorCode::not_recorded, "./a is statically linked: ...", {}}), "static_program");
    EXPECT_EQ(code_of(Error{ErrorCode::not_recorded, "something else", {}}), "not_recorded");
}

TEST(Codes, AreUniqueAndExplained) {
    std::set<std::string_view> names;
    for (auto const& table : code_tables())
        for (auto const& row : table.rows) {
            EXPECT_TRUE(names.insert(row.code).second) << row.code;
            EXPECT_FALSE(row.meaning.empty() || row.noticed.empty() || row.remedy.empty()) << row.code;
            EXPECT_NE(row.example.empty(), row.without.empty()) << row.code;
        }
}

TEST(Codes, AnAssumptionIsFoundByItsWordsAndNoOther) {
    EXPECT_EQ(code_of_assumption("The times of tasks do not vary."), "task_times_fixed");
    EXPECT_EQ(code_of_assumption("Made for a test."), "") << "a sentence of a file";
    for (auto const& row : rows_of(CodeKind::assumption)) {
        ASSERT_FALSE(row.words.empty()) << row.code;
        EXPECT_EQ(code_of_assumption(row.words.substr(0, row.words.find('|'))), row.code)
            << "an earlier row has these words, too";
    }
}

TEST(Codes, StandInBracketsBehindASentence) {
    EXPECT_EQ(assumption_with_code("The times of tasks do not vary."),
              "The times of tasks do not vary. [task_times_fixed]");
    EXPECT_EQ(assumption_with_code("Made for a test."), "Made for a test.");
    EXPECT_THAT(codes_of_assumptions(std::array<std::string, 2>{"The times of tasks do not vary.", "Mine."}),
                testing::ElementsAre("task_times_fixed", ""));
}

TEST(Codes, HelpOfOne) {
    auto const text = code_text(find_code("killed"), 100);
    for (auto const* const part :
         {"killed: a finding", "Meaning ", "Noticed ", "What to do ", "parcast info killed"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_EQ(find_code("klled").row, nullptr);
}

TEST(Codes, AListOfAll) {
    auto const text = code_list_text(100);
    for (auto const* const part :
         {"findings\n", "assumptions\n", "errors\n", "spin_waiting", "parcast help CODE"})
        EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace parcast::report
