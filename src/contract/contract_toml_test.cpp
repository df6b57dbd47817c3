#include "contract/contract_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::contract {
namespace {

using testing::HasSubstr;

TEST(Contract, IsAListOfTextsOrOfTextsWithAReason) {
    auto const found = read_contract(R"(version = 1
assertions = [
    'speed_up(16) >= 11',
    { that = 'time(8) <= 120ms', because = "a frame has to be ready" },
]
)",
                                     "c.toml");
    ASSERT_TRUE(found.has_value()) << found.error().error.message;
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].text, "speed_up(16) >= 11");
    EXPECT_EQ((*found)[1].because, "a frame has to be ready");
    EXPECT_EQ((*found)[1].place.file, "c.toml");
    EXPECT_EQ((*found)[1].place.line, 4U);
    EXPECT_EQ((*found)[1].place.column, 15U);
}

struct BadCase {
    char const* text;
    std::uint32_t line;
    std::uint32_t column;
    char const* marked;
    char const* message;
};

TEST(Contract, ErrorsHaveTheLineAndTheColumnOfTheFile) {
    BadCase const cases[] = {
        {"version = 1\nassertions = ['sped_up(16) >= 11']\n", 2, 16, "sped_up", "no function"},
        {"version = 1\nassertions = [\n  { that = 'time(8) <= 1' } ]\n", 3, 24, "1", "has a unit"},
        {"version = 1\nassertions = [\n  \"limit(8) != 'lok'\" ]\n", 3, 16, "'lok'", "no limit"},
        {"version = 1\nassertion = []\n", 2, 1, "a", "did you mean 'assertions'"},
        {"version = 1\nassertions = []\n", 2, 14, "[", "has assertions"},
        {"version = 1\nassertions = [7]\n", 2, 15, "7", "a text or a table"},
        {"version = 1\nassertions = [{ because = 'x' }]\n", 2, 15, "{", "'that' is missing"},
        {"version = 2\nassertions = ['time(8) < 1s']\n", 1, 11, "2", "version 2 is unknown"},
        {"assertions = ['time(8) < 1s']\n", 1, 1, "a", "'version' is missing"},
        {"version = 1\nassertions = [\n", 2, 16, "", "not TOML"},
    };
    for (auto const& row : cases) {
        auto const found = read_contract(row.text, "c.toml");
        ASSERT_FALSE(found.has_value()) << row.text;
        auto const& fault = found.error();
        EXPECT_THAT(fault.error.message, HasSubstr(row.message)) << row.text;
        ASSERT_TRUE(fault.error.place.has_value()) << row.text;
        EXPECT_EQ(fault.error.place->line, row.line) << row.text;
        EXPECT_EQ(fault.error.place->column, row.column) << row.text;
        EXPECT_EQ(fault.line.substr(fault.column - 1, std::string_view(row.marked).size()), row.marked)
            << row.text;
    }
}

// Where quotes are written with a backslash, columns of the text are not those of the line.
TEST(Contract, AnErrorInATextWithBackslashesIsMarkedInTheText) {
    auto const found = read_contract("version = 1\nassertions = [\"limit(8) != \\\"lok\\\"\"]\n", "c.toml");
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().line, "limit(8) != \"lok\"");
    EXPECT_EQ(found.error().column, 13U);
    EXPECT_EQ(found.error().error.place->line, 2U);
}

}  // namespace
}  // namespace parcast::contract
