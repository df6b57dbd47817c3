#include "measure/turn_cost.h"

#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

ChildRun run_of(std::int64_t user_ms, std::int64_t preemptions, std::int64_t system_ms = 0) {
    ChildRun run;
    run.user = Duration{user_ms * 1'000'000};
    run.system = Duration{system_ms * 1'000'000};
    run.preemptions = preemptions;
    return run;
}

TEST(TurnCost, IsWhatTheTurnsCostThatLongerSlicesSaved) {
    std::vector<ChildRun> const usual{run_of(1'000, 250), run_of(1'200, 260), run_of(1'100, 240)};
    std::vector<ChildRun> const longer{run_of(800, 50), run_of(800, 60), run_of(1'000, 40)};
    auto const cost = turn_cost(usual, longer);
    ASSERT_TRUE(cost);
    EXPECT_DOUBLE_EQ(cost->price_ns.median, 1e6);
    EXPECT_DOUBLE_EQ(cost->price_ns.least, 0.5e6);
    EXPECT_DOUBLE_EQ(cost->price_ns.most, 2e6);
    EXPECT_DOUBLE_EQ(cost->share.median, 0.2);
    EXPECT_TRUE(cost->is_clear);
}

// The system's time counts as work to be explained, but not as a cost of turns: waking and switching change
// with slices, too.
TEST(TurnCost, LeavesTheSystemsTimeOut) {
    auto const cost = turn_cost(std::vector{run_of(800, 300, 200)}, std::vector{run_of(700, 100, 10)});
    ASSERT_TRUE(cost);
    EXPECT_DOUBLE_EQ(cost->share.median, 0.1);
}

struct Noise {
    std::vector<ChildRun> usual;
    std::vector<ChildRun> longer;
    char const* because;
};

class UnclearTurnCost : public testing::TestWithParam<Noise> {};

TEST_P(UnclearTurnCost, IsNoPrice) {
    auto const cost = turn_cost(GetParam().usual, GetParam().longer);
    EXPECT_TRUE(!cost || !cost->is_clear) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(
    Noise, UnclearTurnCost,
    testing::Values(
        Noise{{run_of(1'000, 300), run_of(1'000, 300), run_of(1'000, 300)},
              {run_of(700, 30), run_of(700, 30), run_of(1'001, 30)},
              "one pair out of three shows no cost"},
        Noise{{run_of(1'000, 300)}, {run_of(991, 30)}, "less than a hundredth"},
        // Three positive pairs were a price, as noise alone makes them in one case out of eight.
        Noise{{run_of(1'000, 300), run_of(1'000, 300), run_of(1'000, 300)},
              {run_of(960, 30), run_of(980, 30), run_of(995, 30)},
              "one pair out of three shows less than a hundredth"},
        Noise{{run_of(1'000, 300)}, {run_of(1'100, 30)}, "the longer slices took longer"},
        Noise{{run_of(1'000, 4)}, {run_of(800, 4)}, "no turn was saved: something else made it faster"},
        // All of it was turns: a share of 1, which no machine has.
        Noise{{run_of(4, 30)}, {run_of(0, 3)}, "the kernel counted no time for the short run"}));

}  // namespace
}  // namespace parcast::measure
