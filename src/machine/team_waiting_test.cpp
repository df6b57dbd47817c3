// What the variables of libgomp make of a machine's usual waiting: 300,000 turns of 30 ns, and 100 where
// there are more threads than processors.

#include "machine/team_waiting.h"

#include <gtest/gtest.h>

#include <limits>

namespace parcast {
namespace {

Waiting usual() {
    Waiting waiting;
    waiting.team_spin = {9'000'000};
    waiting.crowded_team_spin = {3'000};
    return waiting;
}

TEST(TeamWaiting, APolicyIsReadAsLibgompDoes) {
    EXPECT_EQ(parse_wait_policy("ACTIVE"), WaitPolicy::active);
    EXPECT_EQ(parse_wait_policy(" Passive "), WaitPolicy::passive);
    for (auto const* const ignored : {"", "activ", "active x", "2"})
        EXPECT_EQ(parse_wait_policy(ignored), std::nullopt) << ignored;
}

TEST(TeamWaiting, ASpinCountIsReadAsLibgompDoes) {
    EXPECT_EQ(parse_spin_count("0"), 0.0);
    EXPECT_EQ(parse_spin_count(" 20 k"), 20'000.0);
    EXPECT_EQ(parse_spin_count("3M"), 3e6);
    EXPECT_EQ(parse_spin_count("INFINITY"), std::numeric_limits<double>::infinity());
    for (auto const* const ignored : {"", "k", "-1", "3x", "3 kk"})
        EXPECT_EQ(parse_spin_count(ignored), std::nullopt) << ignored;
}

TEST(TeamWaiting, WithoutVariablesIsTheMachines) {
    EXPECT_EQ(with_team_waiting(usual(), std::nullopt), usual());
}

TEST(TeamWaiting, ActivelyEndsWithoutTheTeamOnlyWhereThreadsLackProcessors) {
    auto const active = with_team_waiting(usual(), WaitPolicy::active);
    EXPECT_EQ(active.team_spin.ns, 10'000'000'000) << "as good as without end";
    EXPECT_EQ(active.crowded_team_spin.ns, 30'000) << "1000 turns";
}

TEST(TeamWaiting, PassivelyIsToSleepAtOnce) {
    auto const passive = with_team_waiting(usual(), WaitPolicy::passive);
    EXPECT_EQ(passive.team_spin.ns, 0);
    EXPECT_EQ(passive.crowded_team_spin.ns, 0);
}

TEST(TeamWaiting, ASpinCountReplacesThePolicysTurnsAndLimitsThoseInACrowd) {
    auto const few = with_team_waiting(usual(), WaitPolicy::active, 500);
    EXPECT_EQ(few.team_spin.ns, 15'000);
    EXPECT_EQ(few.crowded_team_spin.ns, 15'000);
    auto const many = with_team_waiting(usual(), std::nullopt, 3e6);
    EXPECT_EQ(many.team_spin.ns, 90'000'000);
    EXPECT_EQ(many.crowded_team_spin.ns, 3'000) << "100 turns";
    auto const endless = with_team_waiting(usual(), std::nullopt, std::numeric_limits<double>::infinity());
    EXPECT_EQ(endless.team_spin.ns, 10'000'000'000);
}

}  // namespace
}  // namespace parcast
