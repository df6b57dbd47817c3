// How many processors a wake-up searches, against Linux's formula: P (1 - (U / 0.85)^2).

#include "simulate/idle_search.h"

#include <gtest/gtest.h>

#include "simulate/load_average.h"
#include "simulate/pull_odds.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t tick = 4 * ms;
constexpr std::int64_t long_time = 4'000 * ms;  // what was before is forgotten

std::uint32_t limit_after(std::uint32_t processors, std::uint32_t busy, std::int64_t time,
                          std::int64_t percent = 85) {
    IdleSearch search(processors, percent, tick);
    for (std::uint32_t number = 0; number < busy; ++number)
        search.processor_starts(0);
    for (std::int64_t now = tick; now < time; now += tick)
        search.limit(now);
    return search.limit(time);
}

struct Case {
    std::uint32_t processors;
    std::uint32_t busy;
    std::int64_t after;
    std::uint32_t limit;
    char const* because;
};
class Limits : public testing::TestWithParam<Case> {};

TEST_P(Limits, FallWithTheSquareOfTheUtilisation) {
    auto const& [processors, busy, after, limit, because] = GetParam();
    EXPECT_EQ(limit_after(processors, busy, after), limit) << because;
}

INSTANTIATE_TEST_SUITE_P(
    Linux, Limits,
    testing::Values(Case{16, 0, long_time, 16, "nothing runs: all are searched"},
                    Case{16, 8, long_time, 10, "16 (1 - (0.5 / 0.85)^2) = 10.46"},
                    Case{16, 13, long_time, 1, "16 (1 - (0.8125 / 0.85)^2) = 1.38"},
                    Case{16, 14, long_time, 0, "0.875 is beyond 0.85"},
                    Case{4, 4, 32 * ms, 2, "half of the way after a half-life: 4 (1 - (0.5 / 0.85)^2) = 2.6"},
                    Case{4, 4, 64 * ms, 0, "0.75 after two: 4 (1 - (0.75 / 0.85)^2) = 0.89"}));

TEST(IdleSearch, SearchesAllIfItIsSwitchedOff) {
    EXPECT_EQ(limit_after(16, 16, long_time, 0), 16U);
}

TEST(IdleSearch, LagsBehindByATick) {
    IdleSearch search(2, 85, tick);
    search.processor_starts(0);
    search.processor_starts(0);
    EXPECT_EQ(search.limit(tick - 1), 2U);
    EXPECT_LT(search.limit(tick), 2U);
}

TEST(LoadAverage, IsHalfOfTheWayAfterAHalfLife) {
    constexpr std::int64_t half_life = 32 * ms;
    constexpr double one = LoadAverage::one_thread;
    LoadAverage load;
    load.advance(half_life, 2, 1, half_life);
    EXPECT_NEAR(static_cast<double>(load.loads().load), one, one / 1000);
    EXPECT_NEAR(static_cast<double>(load.loads().used), one / 2, one / 1000) << "one of the two ran";
    load.advance(3 * half_life, 0, 0, half_life);
    EXPECT_NEAR(static_cast<double>(load.loads().load), one / 4, one / 1000);
    // Many small steps are one large one, within what each rounds away.
    for (std::int64_t now = 3 * half_life; now <= 4 * half_life; now += half_life / 64)
        load.advance(now, 3, 1, half_life);
    EXPECT_NEAR(static_cast<double>(load.loads().load), one * (3 - 2.75 / 2), one / 100);
}

TEST(PullOdds, AreAsOftenAsTheySay) {
    Dice dice;
    int looks = 0;
    for (int occasion = 0; occasion < 4'000; ++occasion)
        looks += PullOdds(50).looks(dice) ? 1 : 0;
    EXPECT_NEAR(looks, 2'000, 200);  // six standard deviations
}

TEST(PullOdds, AreCertainOrNoneAtTheEnds) {
    Dice dice;
    PullOdds always(100);
    PullOdds never(0);
    for (int occasion = 0; occasion < 4'000; ++occasion) {
        EXPECT_TRUE(always.looks(dice));
        always.looked(false);
        EXPECT_FALSE(never.looks(dice));
    }
}

TEST(PullOdds, FallWhereLooksFindNothingAndRiseWhereTheyDo) {
    for (bool const finds : {false, true}) {
        Dice dice;
        PullOdds odds(50);
        int looks = 0;
        for (int occasion = 0; occasion < 20'000; ++occasion) {
            if (odds.looks(dice)) {
                odds.looked(finds);
                looks += occasion >= 19'000 ? 1 : 0;
            }
        }
        EXPECT_EQ(looks > 900, finds) << looks;
        EXPECT_EQ(looks < 100, !finds) << looks;
    }
}

// It divided by the utilisation at which a search stops: found by a fuzzer.
TEST(IdleSearch, WhereNoSearchStopsAProcessorMayStartAfterALongTime) {
    IdleSearch search(4, 0, tick);
    search.processor_starts(long_time);
    search.processor_stops(2 * long_time);
    search.processor_starts(3 * long_time);
    EXPECT_EQ(search.limit(4 * long_time), 4U);
}

}  // namespace
}  // namespace parcast::simulate
