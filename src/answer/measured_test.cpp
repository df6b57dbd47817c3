#include "answer/measured.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

constexpr std::int64_t ms = 1'000'000;

BareRun run(std::int64_t wall_ms, std::int64_t user_ms, std::int64_t system_ms = 0, double others = 0) {
    return {wall_ms * ms, user_ms * ms, system_ms * ms, others};
}

MeasuredSpeedUp on_two(std::vector<BareRun> one, std::vector<BareRun> two) {
    Provenance provenance;
    provenance.measured = {{1, std::move(one)}, {2, std::move(two)}};
    return measured_speed_ups(provenance).front();
}

TEST(MeasuredSpeedUp, IsOfTheFastestRunsAndLiesWithinThoseOfEachRound) {
    auto const measured = on_two({run(400, 400), run(440, 440)}, {run(250, 480), run(200, 400)});
    EXPECT_EQ(measured.cpus, 2U);
    EXPECT_DOUBLE_EQ(measured.speed_up, 2.0);
    EXPECT_NEAR(measured.range.low, 1.6, 0.05);   // 400 / 250, less what no run tells
    EXPECT_NEAR(measured.range.high, 2.2, 0.05);  // 440 / 200
    EXPECT_NEAR(measured.own_growth.value, 1, 1e-9);
}

// Others had half of both CPUs: a program that scales was measured at a speed-up of one. That is no proof
// that it does not.
TEST(MeasuredSpeedUp, OfABusyHostLeavesRoomForWhatOthersTook) {
    auto const measured = on_two({run(800, 400, 0, 0.5)}, {run(400, 400, 0, 0.5)});
    EXPECT_LT(measured.range.low, 1.01);
    EXPECT_GT(measured.range.high, 3.9) << "one CPU was disturbed as well";
    EXPECT_LT(measured.time_on_one_ns.low, 401e6);
}

// False sharing is seen there, too: the CPU time itself leaves no room.
TEST(MeasuredSpeedUp, IsNoMoreThanTheCpuTimeAllows) {
    auto const measured = on_two({run(800, 400, 0, 0.5)}, {run(1600, 1600, 0, 0.5)});
    EXPECT_NEAR(measured.range.high, 1.0, 0.03);
    EXPECT_NEAR(measured.own_growth.value, 4, 1e-9);
}

TEST(MeasuredSpeedUp, ATickOfTheKernelIsNoGrowth) {
    EXPECT_DOUBLE_EQ(on_two({run(100, 100, 0)}, {run(50, 96, 4)}).system_growth.value, 1);
    EXPECT_DOUBLE_EQ(on_two({run(100, 92, 8)}, {run(200, 100, 80)}).system_growth.value, 10);
}

}  // namespace
}  // namespace parcast
