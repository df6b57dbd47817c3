#include "forecast/recording.h"

#include <gtest/gtest.h>

#include "support/recording_builder.h"

namespace parcast::forecast {
namespace {

constexpr std::int64_t millisecond = 1'000'000;

// Two threads, each with 28 ms of CPU time, that took turns on the one CPU.
Timeline two_hogs() {
    extract::Recording recording(2);
    recording.begin(0, 0).create(0, 0, 1);
    recording.begin(1, 0)
        .end(1, 56 * millisecond, 28 * millisecond)
        .end(0, 56 * millisecond, 28 * millisecond);
    return recording.timeline();
}

Answer with_turns(double share, Machine const& shape) {
    Question question;
    question.cpus = {1, 2};
    question.replay = {ReplayModel::direct, HandedOutWork::anew, share};
    auto forecast = forecast_recording("x.parcast", two_hogs(), {shape}, question);
    EXPECT_TRUE(forecast.has_value());
    return forecast ? forecast->answer : Answer{};
}

Machine linux_without_costs() {
    Machine machine = linux_machine(1);
    machine.costs = {};
    return machine;
}

TEST(PriceOfTurns, IsPaidOnOneCpuAsRecordedAndNotWhereEachThreadHasACpu) {
    auto const prediction = with_turns(0.25, linux_without_costs());
    ASSERT_EQ(prediction.rows.size(), 2U);
    // 18 turns, whose price is a whole number of nanoseconds.
    EXPECT_EQ(prediction.rows[0].run.accounts.completion.ns, 56 * millisecond);
    EXPECT_NEAR(to_real(prediction.rows[1].run.accounts.completion).ns, 21e6, 9);
    EXPECT_NEAR(to_real(prediction.recording().turns).ns, 14e6, 18);
    EXPECT_EQ((prediction.recording().work + prediction.recording().turns).ns, 56 * millisecond);
}

TEST(PriceOfTurns, ThatIsNothingChangesNothing) {
    auto const prediction = with_turns(0, linux_without_costs());
    EXPECT_EQ(prediction.rows[1].run.accounts.completion.ns, 28 * millisecond);
    EXPECT_EQ(prediction.recording().turns.ns, 0);
}

// There no thread ever loses its processor, so a price would be taken out and never be paid.
TEST(PriceOfTurns, MeansNothingToTheIdealScheduler) {
    auto const prediction = with_turns(0.25, ideal_machine(1));
    EXPECT_EQ(prediction.rows[0].run.accounts.completion.ns, 56 * millisecond);
    EXPECT_EQ(prediction.recording().turns.ns, 0);
}

// A share that cannot be: the rest of each slice is for the work, and the time on one CPU stays.
TEST(PriceOfTurns, TakesHalfOfASliceAtMost) {
    auto const prediction = with_turns(0.9, linux_without_costs());
    EXPECT_EQ(prediction.rows[0].run.accounts.completion.ns, 56 * millisecond);
    EXPECT_EQ(prediction.recording().turns.ns, 2 * 9 * 1'400'000);
}

// On 2 CPUs a range of 3.08 - 4.49 stood beside a speed-up: it began with a time on one CPU that has
// switches, which the times on two had not.
TEST(Bounds, LeaveOutWhatSwitchesCostOnOneCpuToo) {
    Machine machine = linux_machine(1);
    machine.costs.context_switch = {5'000'000};
    auto const prediction = with_turns(0, machine);
    ASSERT_EQ(prediction.rows.size(), 2U);
    ASSERT_GT(prediction.rows[0].run.accounts.completion.ns, 100 * millisecond);
    ASSERT_TRUE(prediction.rows[1].bounds.has_value());
    EXPECT_LE(prediction.rows[1].bounds->upper, 2);
    EXPECT_LT(prediction.rows[1].bounds->lower, prediction.rows[1].bounds->upper);
}

}  // namespace
}  // namespace parcast::forecast
