#include "cli/files/memory_needed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::cli {
namespace {

// A recording of 104 million events was replayed for minutes until the machine had no memory left.
TEST(MemoryNeeded, ARecordingThatDoesNotFitIsRejectedBeforeItIsRead) {
    std::uint64_t const million = 1'000'000;
    EXPECT_TRUE(check_memory_for(104 * million, 4160 * million, "a.parcast").has_value());
    EXPECT_TRUE(check_memory_for(104 * million, std::nullopt, "a.parcast").has_value());
    EXPECT_TRUE(check_memory_for(million, 1000, "a.parcast").has_value()) << "few events";
    auto const checked = check_memory_for(104 * million, 4159 * million, "a.parcast");
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::exhausted);
    EXPECT_THAT(checked.error().message, testing::HasSubstr("104,000,000 events, takes about 4.16 GB"));
    EXPECT_THAT(checked.error().advice, testing::HasSubstr("--time-limit"));
}

}  // namespace
}  // namespace parcast::cli
