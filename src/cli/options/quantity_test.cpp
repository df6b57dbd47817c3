#include "cli/options/quantity.h"

#include <gtest/gtest.h>

namespace parcast::cli {
namespace {

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

}  // namespace
}  // namespace parcast::cli
