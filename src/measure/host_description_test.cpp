#include "measure/host_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CpuRanges, AreTheListsOfTheKernel) {
    EXPECT_THAT(parse_cpu_ranges("0"), ElementsAre(0));
    EXPECT_THAT(parse_cpu_ranges("0-2,8"), ElementsAre(0, 1, 2, 8));
    for (auto const* text : {"", "x", "1-", "1-x", "-1", "1;2", "0-4000000000"})
        EXPECT_THAT(parse_cpu_ranges(text), IsEmpty()) << text;
}

TEST(CacheSize, IsInBytes) {
    EXPECT_EQ(parse_cache_size("32768K"), 32u << 20);
    EXPECT_EQ(parse_cache_size("16M"), 16u << 20);
    for (auto const* text : {"", "K", "12", "12G", "12KB"})
        EXPECT_EQ(parse_cache_size(text), 0u) << text;
}

struct Topology {
    std::vector<unsigned> cpus;
    std::vector<std::vector<unsigned>> siblings;
    std::vector<unsigned> expected;
    char const* because;
};

TEST(CoresFirst, FillsACoreTwiceOnlyWhenAllHaveOne) {
    Topology const rows[] = {
        {{0, 1, 2, 3}, {{0, 2}, {1, 3}, {0, 2}, {1, 3}}, {0, 1, 2, 3}, "siblings numbered after all cores"},
        {{0, 1, 2, 3}, {{0, 1}, {0, 1}, {2, 3}, {2, 3}}, {0, 2, 1, 3}, "siblings numbered side by side"},
        {{1, 2, 3}, {{0, 1}, {2, 3}, {2, 3}}, {1, 2, 3}, "a sibling that may not be used takes no place"},
        {{4, 5}, {{}, {}}, {4, 5}, "without a topology in the order of their numbers"},
    };
    for (auto const& row : rows)
        EXPECT_EQ(cores_first(row.cpus, row.siblings), row.expected) << row.because;
}

TEST(HostDescription, KnowsWhichKernelsHaveEevdf) {
    for (auto const* kernel : {"6.6.0", "6.18.44", "6.12-rc1", "7.0.0-generic"})
        EXPECT_TRUE(has_eevdf(kernel)) << kernel;
    for (auto const* kernel : {"6.5.13", "6.1.0-18-amd64", "5.15", "4.19.0", "", "6", "six"})
        EXPECT_FALSE(has_eevdf(kernel)) << kernel;
}

}  // namespace
}  // namespace parcast::measure
