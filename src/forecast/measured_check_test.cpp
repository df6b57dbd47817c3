// Whether a prediction holds where the program was measured, and what becomes of the others.

#include "forecast/measured_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "machine/schedulers.h"

namespace parcast::forecast {
namespace {

using testing::HasSubstr;

constexpr std::int64_t ms = 1'000'000;

BareRun run(std::int64_t wall_ms, std::int64_t user_ms, std::int64_t system_ms = 0, double others = 0) {
    return {wall_ms * ms, user_ms * ms, system_ms * ms, others};
}

// 400 ms of work, all of it parallel where the speed-up says so.
Row predicted_on(std::uint32_t cpus, double speed_up, bool with_range) {
    Row row;
    row.cpus = row.run.accounts.cpus = cpus;
    row.time_ns = 400e6 / speed_up;
    row.run.accounts.completion = Duration{static_cast<std::int64_t>(row.time_ns)};
    row.run.accounts.busy = Duration{400 * ms};
    row.speed_up = speed_up;
    if (with_range)
        row.range = RowRange{{row.time_ns * 0.97, row.time_ns * 1.03}, {speed_up * 0.97, speed_up * 1.03}};
    return row;
}

// Predicted for 1, 4 and 8 CPUs, and for the two that were measured.
Answer measured(BareRun const& one, BareRun const& two, bool with_ranges = true, double on_two = 2) {
    Answer answer;
    auto& basis = answer.recording();
    basis.provenance.emplace();
    basis.provenance->measured = {{1, {one, one}}, {2, {two, two}}};
    for (auto const cpus : {1U, 4U, 8U})
        answer.rows.push_back(predicted_on(cpus, 1 + (cpus - 1) * (on_two - 1), with_ranges));
    basis.measured_rows = {predicted_on(2, on_two, with_ranges)};
    for (auto const& each : measured_speed_ups(*basis.provenance))
        basis.measured.push_back({.measured = each, .predicted_range = {}});
    answer.findings.push_back({FindingKind::exit_status, Severity::note, "a note"});
    answer.scaling.emplace();
    check_measurements(answer);
    return answer;
}

Finding const* finding_of(Answer const& answer) {
    auto const found = std::ranges::find(answer.findings, FindingKind::measured_otherwise, &Finding::kind);
    return found == answer.findings.end() ? nullptr : &*found;
}

// x265 lets itself run on all CPUs: on "one" it had 1.86 s of CPU time in 1.15 s.
TEST(MeasuredCheck, AProgramThatWasNotHeldToOneCpuIsNotCompared) {
    TargetMachine const target{linux_machine(1)};
    Provenance recorded;
    recorded.measured = {{1, {run(1'150, 1'860)}}, {2, {run(1'140, 1'850)}}};
    EXPECT_THAT(reason_not_to_compare(target, recorded).value_or(""), HasSubstr("not held to one"));
    EXPECT_TRUE(counts_to_check(target, recorded).empty());
    recorded.measured.front().runs = {run(1'860, 1'860)};
    EXPECT_EQ(reason_not_to_compare(target, recorded), std::nullopt);
}

TEST(MeasuredCheck, APredictionThatHoldsIsLeftAlone) {
    auto const answer = measured(run(400, 400), run(206, 402));
    ASSERT_EQ(answer.recording().measured.size(), 1U);
    auto const& check = answer.recording().measured.front();
    EXPECT_EQ(check.verdict, MeasuredVerdict::holds);
    EXPECT_NEAR(check.predicted, 2, 0.02);
    EXPECT_EQ(finding_of(answer), nullptr);
    EXPECT_TRUE(answer.scaling.has_value());
}

// c13_neighbours: predicted 1.96, measured 0.53, and not a word.
TEST(MeasuredCheck, FalseSharingIsCaughtAndNothingIsConcluded) {
    auto const answer = measured(run(400, 400), run(750, 1490));
    EXPECT_EQ(answer.recording().measured.front().verdict, MeasuredVerdict::far_off);
    auto const* const finding = finding_of(answer);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_TRUE(finding->makes_worthless);
    EXPECT_THAT(finding->message, HasSubstr("0.53 times as fast"));
    EXPECT_THAT(finding->message, HasSubstr("own code takes 3.7 times the CPU time"));
    EXPECT_THAT(finding->message, HasSubstr("false sharing"));
    EXPECT_FALSE(answer.scaling.has_value());
    auto const& eight = answer.rows.back();
    ASSERT_TRUE(eight.range.has_value());
    EXPECT_NEAR(eight.range->speed_up.low, 0.385, 0.01) << "as if all shared one thing";
    EXPECT_GE(eight.range->speed_up.high, eight.speed_up);
    EXPECT_GT(eight.range->time_ns.high, 1e9);
}

// c07_malloc with one arena: the time goes to the kernel, or to nobody.
TEST(MeasuredCheck, LocksInTheKernelAreNamedByTheSystemsTime) {
    auto const answer = measured(run(400, 380, 20), run(4000, 1400, 4500));
    ASSERT_NE(finding_of(answer), nullptr);
    EXPECT_THAT(finding_of(answer)->message, HasSubstr("kernel's work for it takes 225.0 times"));
    EXPECT_THAT(finding_of(answer)->message, HasSubstr("MALLOC_ARENA_MAX"));
    EXPECT_THAT(finding_of(answer)->message, testing::Not(HasSubstr("own code"))) << "it did less than half";
    // As it was measured: both grow.
    auto const both = measured(run(400, 342, 56), run(3644, 3746, 3202));
    EXPECT_THAT(finding_of(both)->message, HasSubstr("own code takes 11.0 times"));
    EXPECT_THAT(finding_of(both)->message, HasSubstr("MALLOC_ARENA_MAX"));
}

TEST(MeasuredCheck, WaitsThatWereNotSeenAreNamedByIdleCpus) {
    auto const answer = measured(run(400, 400), run(390, 402));
    ASSERT_NE(finding_of(answer), nullptr);
    EXPECT_THAT(finding_of(answer)->message, HasSubstr("CPUs idle 48 %"));
}

// A heartbeat thread: predicted 1.0, measured 1.9 on two.
TEST(MeasuredCheck, AProgramThatIsFasterThanPredictedIsTold) {
    auto const answer = measured(run(400, 400), run(205, 400), true, 1.0);
    ASSERT_NE(finding_of(answer), nullptr);
    EXPECT_TRUE(finding_of(answer)->makes_worthless);
    EXPECT_THAT(finding_of(answer)->message, HasSubstr("The prediction waits where the program does not"));
    EXPECT_GT(answer.rows.back().range->speed_up.high, 7) << "it may go on as efficiently";
}

// Others had half of the host: the same measured speed-up proves nothing.
TEST(MeasuredCheck, ABusyHostCondemnsNoPrediction) {
    auto const answer = measured(run(700, 400, 0, 0.4), run(395, 404, 0, 0.48));
    auto const& check = answer.recording().measured.front();
    EXPECT_EQ(check.verdict, MeasuredVerdict::not_compared);
    EXPECT_EQ(check.reason, "other programs had 48 % of the CPUs' time") << "nor does it prove one";
    EXPECT_EQ(finding_of(answer), nullptr);
    // The CPU time itself tells of false sharing all the same.
    EXPECT_NE(finding_of(measured(run(700, 400, 0, 0.4), run(1800, 1490, 0, 0.48))), nullptr);
}

// 1.75 instead of 2.0: marked, and wider, but still a prediction.
TEST(MeasuredCheck, ALittleLessIsAWarningThatWidensRanges) {
    auto const held = measured(run(400, 400), run(202, 402));
    auto const answer = measured(run(400, 400), run(228, 402));
    auto const* const finding = finding_of(answer);
    ASSERT_NE(finding, nullptr);
    EXPECT_FALSE(finding->makes_worthless);
    EXPECT_TRUE(answer.scaling.has_value());
    EXPECT_LT(answer.rows[1].range->speed_up.low, 0.8 * held.rows[1].range->speed_up.low);
    EXPECT_EQ(answer.rows[0].range, held.rows[0].range) << "on one CPU nothing differs";
}

TEST(MeasuredCheck, WithoutRangesATenthIsLeft) {
    EXPECT_EQ(finding_of(measured(run(400, 400), run(215, 402), false)), nullptr);
    EXPECT_NE(finding_of(measured(run(400, 400), run(300, 402), false)), nullptr);
}

TEST(MeasuredCheck, AnotherMachineIsNotCompared) {
    auto calibrated = linux_machine(1);
    calibrated.calibration.emplace();
    calibrated.calibration->host = "elsewhere";
    TargetMachine target{calibrated};
    target.file = "elsewhere.toml";
    Provenance recorded;
    recorded.host = "here";
    EXPECT_TRUE(reason_not_to_compare(target, recorded).has_value());
    target.shape.calibration->host = "here";
    EXPECT_FALSE(reason_not_to_compare(target, recorded).has_value());
    EXPECT_TRUE(reason_not_to_compare({ideal_machine(1)}, recorded).has_value());
    recorded.measured = {{1, {run(400, 400)}}, {2, {run(750, 1490)}}};
    EXPECT_THAT(counts_to_check(target, recorded), testing::ElementsAre(1, 2));
    EXPECT_TRUE(counts_to_check({ideal_machine(1)}, recorded).empty());
}

// The recorder, or a busy host, made 400 ms out of 100.
TEST(MeasuredCheck, AnotherTimeOnOneCpuIsTold) {
    auto const answer = measured(run(100, 100), run(51, 101));
    ASSERT_NE(finding_of(answer), nullptr);
    EXPECT_THAT(finding_of(answer)->message, HasSubstr("on one CPU"));
    EXPECT_FALSE(finding_of(answer)->makes_worthless);
    EXPECT_LT(answer.rows[0].range->time_ns.low, 101e6);
}

TEST(ImpliedSpeedUp, SharesOneThingOrGoesOnAsEfficiently) {
    EXPECT_DOUBLE_EQ(implied_speed_up(8, 8, 2, 2, 1), 1) << "two CPUs are as fast as one, and so are eight";
    EXPECT_DOUBLE_EQ(implied_speed_up(2, 2, 2, 2, 0.5), 0.5);
    EXPECT_DOUBLE_EQ(implied_speed_up(1, 8, 2, 1, 1.9), 7.6);
}

}  // namespace
}  // namespace parcast::forecast
