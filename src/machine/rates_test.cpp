#include "machine/rates.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(Rates, WithoutListsEveryProcessorWorksAtFullSpeed) {
    EXPECT_EQ(speed(Rates{}, 1), 1);
    EXPECT_EQ(speed(Rates{}, 64), 1);
    EXPECT_TRUE(is_flat(Rates{}, 64));
}

TEST(Rates, TheLastEntryHoldsBeyondIt) {
    Rates const rates{.compute = {1, 0.9, 0.75}, .memory = {}};
    EXPECT_EQ(speed(rates, 2), 0.9);
    EXPECT_EQ(speed(rates, 3), 0.75);
    EXPECT_EQ(speed(rates, 100), 0.75);
    EXPECT_TRUE(is_flat(rates, 1));
    EXPECT_FALSE(is_flat(rates, 2));
}

TEST(Rates, AreListedAsFarAsTheyChange) {
    EXPECT_TRUE(speeds(Rates{}).empty());
    EXPECT_TRUE(speeds(Rates{.compute = {1, 1}, .memory = {1, 0.5}}).empty()) << "no work on memory";
    EXPECT_EQ(speeds(Rates{.compute = {1, 0.9}, .memory = {}}), (std::vector<double>{1, 0.9}));
}

// Half of the time on memory, which is half as fast: the time grows from 1/2 + 1/2 to 1/2 + 1.
TEST(Rates, TimesAddUpAndNotSpeeds) {
    Rates const rates{.compute = {1, 1}, .memory = {1, 0.5}, .memory_share = 0.5};
    EXPECT_DOUBLE_EQ(speed(rates, 2), 1 / 1.5);
    EXPECT_EQ(speed(rates, 1), 1);
}

TEST(Rates, AShareOfZeroOrOneIsOneListAlone) {
    Rates rates{.compute = {1, 0.98}, .memory = {1, 0.71}, .memory_share = 0};
    EXPECT_EQ(speed(rates, 2), 0.98);
    rates.memory_share = 1;
    EXPECT_EQ(speed(rates, 2), 0.71);
}

}  // namespace
}  // namespace parcast
