#include "cli/options/option_values.h"

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

TEST(Durations, AreReadAsPeopleWriteThem) {
    struct Case {
        char const* text;
        std::int64_t ns;
    };
    for (Case const& one :
         {Case{"30s", 30'000'000'000}, Case{"2m", 120'000'000'000}, Case{"1h", 3'600'000'000'000},
          Case{"500ms", 500'000'000}, Case{"1.5s", 1'500'000'000}, Case{"7", 7'000'000'000}}) {
        auto const duration = parse_duration(one.text);
        ASSERT_TRUE(duration.has_value()) << one.text;
        EXPECT_EQ(duration->ns, one.ns) << one.text;
    }
}

TEST(Durations, WhatIsNoneSaysWhatWouldBeOne) {
    for (char const* text : {"", "soon", "3x", "-3s", "0", "0s", "nan", "inf", "1e400", "400000h", "3 s"}) {
        auto const duration = parse_duration(text);
        ASSERT_FALSE(duration.has_value()) << text;
        EXPECT_NE(duration.error().message.find(text), std::string::npos);
    }
}

TEST(Sizes, AreReadAsPeopleWriteThem) {
    struct Case {
        char const* text;
        std::uint64_t bytes;
    };
    for (Case const& one :
         {Case{"4096", 4096}, Case{"64k", 65536}, Case{"500M", 524'288'000}, Case{"2G", 2'147'483'648},
          Case{"2GiB", 2'147'483'648}, Case{"2GB", 2'147'483'648}, Case{"0.5k", 512}, Case{"7B", 7}}) {
        auto const bytes = parse_size(one.text);
        ASSERT_TRUE(bytes.has_value()) << one.text;
        EXPECT_EQ(*bytes, one.bytes) << one.text;
    }
}

TEST(Sizes, WhatIsNoneSaysWhatWouldBeOne) {
    for (char const* text : {"", "much", "2X", "-1M", "0", "nan", "9999999999T"}) {
        auto const bytes = parse_size(text);
        ASSERT_FALSE(bytes.has_value()) << text;
        EXPECT_NE(bytes.error().message.find(text), std::string::npos);
    }
}

TEST(MeanAndCv, IsOneNumberOrTwo) {
    auto const both = parse_mean_and_cv("12.5,2");
    ASSERT_TRUE(both);
    EXPECT_EQ(both->mean, 12.5);
    EXPECT_EQ(both->cv, 2);
    auto const mean = parse_mean_and_cv("1e3");
    ASSERT_TRUE(mean);
    EXPECT_EQ(mean->mean, 1000);
    EXPECT_EQ(mean->cv, 1) << "exponential";
}

TEST(MeanAndCv, RefusesWhatIsNoNumber) {
    for (auto const* text :
         {"", ",", "12,", ",2", "12.5 2", "12,2,3", "twelve", "12ms", "inf", "nan,1", "1,inf"})
        EXPECT_EQ(parse_mean_and_cv(text).error().code, ErrorCode::malformed) << text;
    for (auto const* text : {"-1", "1,-2"})
        EXPECT_EQ(parse_mean_and_cv(text).error().code, ErrorCode::out_of_range) << text;
}

}  // namespace
}  // namespace parcast::cli
