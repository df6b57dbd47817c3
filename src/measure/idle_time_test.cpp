#include "measure/idle_time.h"

#include <array>

#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

constexpr char const* stat =
    "cpu  2750 68130 12815 142909 435 0 51 40 0 0\n"
    "cpu0 1273 33687 6128 72409 18 0 7 19 0 0\n"
    "cpu1 1476 34443 6687 70499 416 0 44 20 0 0\n"
    "cpu10 1 1 1 7 0 0 0 0 0 0\n"
    "intr 12345\n";

TEST(IdleTime, IsThatOfTheProcessorsAskedFor) {
    EXPECT_EQ(parse_idle_time(stat, std::array{1U}), tick * (70499 + 416));
    EXPECT_EQ(parse_idle_time(stat, std::array{0U, 1U}), tick * (72409 + 18 + 70499 + 416));
}

TEST(IdleTime, AProcessorThatIsNotThereHasNone) {
    EXPECT_EQ(parse_idle_time(stat, std::array{0U, 2U}), std::nullopt);
    EXPECT_EQ(parse_idle_time("cpu0 1 2 3\n", std::array{0U}), std::nullopt) << "a line cut short";
}

constexpr Duration second{1'000'000'000};

TEST(ShareOfOthers, IsWhatNeitherIdledNorWasOwn) {
    // Two processors for a second: 1.5 s used by the program, 0.28 s idle, 0.2 s by others, 20 ms unknown.
    EXPECT_DOUBLE_EQ(share_of_others(Duration{280'000'000}, Duration{1'500'000'000}, second, 2), 0.1);
}

TEST(ShareOfOthers, ADifferenceOfATickAProcessorIsNoDisturbance) {
    EXPECT_EQ(share_of_others(Duration{990'000'000}, Duration{0}, second, 1), 0);
    EXPECT_EQ(share_of_others(Duration{1'010'000'000}, Duration{0}, second, 1), 0) << "rounded up";
}

}  // namespace
}  // namespace parcast::measure
