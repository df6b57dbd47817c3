#include "cli/options/cpu_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CpuList, CountsAndRangesAscendWithoutRepetition) {
    EXPECT_THAT(*parse_cpu_list("8"), ElementsAre(8));
    EXPECT_THAT(*parse_cpu_list("1,2,4-6"), ElementsAre(1, 2, 4, 5, 6));
    EXPECT_THAT(*parse_cpu_list("4,2,4,1-2"), ElementsAre(1, 2, 4));
    EXPECT_THAT(*parse_cpu_list("3-3"), ElementsAre(3)) << "a range of one";
    EXPECT_THAT(*parse_cpu_list("65536"), ElementsAre(65536)) << "the largest machine";
    EXPECT_EQ(parse_cpu_list("1-1024")->size(), 1024u) << "the longest list";
}

struct BadList {
    char const* text;
    char const* message;
    char const* because;
};

TEST(CpuList, RefusesWhatIsNotAListAndSaysWhy) {
    BadList const cases[] = {
        {"", "not a number", "empty"},
        {"0", "at least 1 CPU", "no machine without processors"},
        {"0-4", "at least 1 CPU", "also at the start of a range"},
        {"1,,2", "not a number", "an empty part"},
        {"1,", "not a number", "a comma at the end"},
        {"four", "\"four\"", "the part is quoted"},
        {"4x", "\"4x\"", "not 4"},
        {"-4", "not a number", "a range without a start, not minus four"},
        {"1-2-3", "not a number", "two dashes"},
        {" 4", "not a number", "spaces are no part of a list"},
        {"8-4", "4-8", "falls; the other way round is offered"},
        {"65537", "65536", "more than a machine has"},
        {"99999999999999999999", "too many CPUs", "beyond 32 bits"},
        {"1-1025", "1024", "too many predictions"},
        {"1-1000,2001-2030", "1024", "too many together"},
        {"1-4294967295", "too many CPUs", "no memory is taken for a huge range"},
    };
    for (auto const& row : cases) {
        auto const counts = parse_cpu_list(row.text);
        ASSERT_FALSE(counts.has_value()) << row.text << ": " << row.because;
        EXPECT_THAT(counts.error().message, HasSubstr(row.message)) << row.text << ": " << row.because;
    }
}

}  // namespace
}  // namespace parcast::cli
