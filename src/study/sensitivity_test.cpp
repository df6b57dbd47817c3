// What runs and loops beside pressing CPUs tell, on numbers that were made up to have an answer.

#include "study/sensitivity.h"

#include <gmock/gmock.h>

namespace parcast::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Le;

// Pressing loops take 100 ns a round beside a loop that computes, and 150 beside one that moves memory, which
// is itself 1.5 times as slow as alone.
constexpr double round_ns = 100;

PressedRun run_of(double slowdown, double presser_ns, double memory_slowdown = 1.5) {
    return {.program = {slowdown, 1, presser_ns, 1},
            .compute = {1, 1, round_ns, 1},
            .memory = {memory_slowdown, 1, round_ns * memory_slowdown, 1}};
}

MemorySensing sensed(std::vector<PressedRun> const& runs) {
    auto const found = sensitivity_of(runs, 1);
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
    return found ? *found : MemorySensing{};
}

TEST(Sensitivity, IsThePlaceBetweenALoopThatComputesAndOneThatMovesMemory) {
    EXPECT_DOUBLE_EQ(sensed({run_of(1, 100)}).sensitivity.value, 0);
    EXPECT_DOUBLE_EQ(sensed({run_of(1.5, 100)}).sensitivity.value, 1);
    EXPECT_DOUBLE_EQ(sensed({run_of(1.2, 100)}).sensitivity.value, 0.4);
    EXPECT_DOUBLE_EQ(sensed({run_of(2.5, 100)}).sensitivity.value, 3) << "evicted from a cache by the loops";
    EXPECT_DOUBLE_EQ(sensed({run_of(0.9, 100)}).sensitivity.value, 0) << "noise: pressure helps nobody";
}

// Bubble-Up measures it apart, with a reporter: here the pressing loops are it.
TEST(Pressure, IsThePlaceOfThePressingLoopsThemselves) {
    EXPECT_DOUBLE_EQ(sensed({run_of(1.2, 100)}).pressure.value, 0);
    EXPECT_NEAR(sensed({run_of(1.2, 110)}).pressure.value, 0.2, 1e-12);
    EXPECT_DOUBLE_EQ(sensed({run_of(1.2, 150)}).pressure.value, 1);
}

TEST(Pressure, IsOfTheTimeInWhichTheProgramRuns) {
    auto half = run_of(1.2, 110);
    half.program.cpu_share = 0.5;
    EXPECT_NEAR(sensed({half}).pressure.value, 0.4, 1e-12);
}

TEST(Sensitivity, LeavesOutWhatTheComputingLoopSuffers) {
    auto run = run_of(1.3, 100);
    run.compute.slowdown = 1.1;  // hardware threads of one core: 0.2 of 0.4
    EXPECT_NEAR(sensed({run}).sensitivity.value, 0.5, 1e-12);
}

TEST(Sensitivity, CountsPressureThatOthersKeptFromTheCpu) {
    auto run = run_of(1.1, 100);
    run.program.presser_share = 0.5;  // 1.2 if it had been there all the time
    EXPECT_NEAR(sensed({run}).sensitivity.value, 0.4, 1e-12);
}

// The host of a virtual machine moves its CPUs apart: then nothing slows memory down, and runs say little.
TEST(Sensitivity, FollowsTheScaleFromRunToRun) {
    auto const found =
        sensed({run_of(1.2, 120), run_of(1.01, 101, 1.02), run_of(1.19, 119), run_of(1, 100, 1.01)});
    EXPECT_NEAR(found.sensitivity.value, 0.4, 0.03);
    EXPECT_EQ(found.runs, 4);
}

TEST(Sensitivity, IsNotMovedByOneRunThatWasDisturbed) {
    EXPECT_NEAR(
        sensed({run_of(1.2, 120), run_of(1.2, 120), run_of(1.9, 190), run_of(1.2, 120)}).sensitivity.value,
        0.4, 1e-12);
}

TEST(Sensitivity, HasARangeThatRunsMakeNarrowAndDisagreementWide) {
    auto const width = [](std::vector<PressedRun> const& runs) {
        auto const range = sensed(runs).sensitivity;
        EXPECT_THAT(range.low, Le(range.value));
        EXPECT_THAT(range.value, Le(range.high));
        return range.high - range.low;
    };
    auto const one = width({run_of(1.2, 120)});
    EXPECT_GT(one, 0.05) << "two runs on one CPU differ";
    EXPECT_LT(width({run_of(1.2, 120), run_of(1.2, 120), run_of(1.2, 120), run_of(1.2, 120)}), one);
    EXPECT_GT(width({run_of(1.1, 120), run_of(1.3, 120), run_of(1.05, 120), run_of(1.35, 120)}), one);
}

TEST(Sensitivity, NeedsAScale) {
    auto const flat = sensitivity_of({run_of(1, 100, 1.01)}, 3);
    ASSERT_FALSE(flat.has_value());
    EXPECT_THAT(flat.error().message, AllOf(HasSubstr("3 CPUs"), HasSubstr("no scale")));
}

TEST(Sensitivity, NeedsPressure) {
    auto run = run_of(1.2, 120);
    run.memory.presser_share = 0.3;
    auto const disturbed = sensitivity_of({run}, 1);
    ASSERT_FALSE(disturbed.has_value());
    EXPECT_THAT(disturbed.error().advice, HasSubstr("quieter"));
}

}  // namespace
}  // namespace parcast::study
