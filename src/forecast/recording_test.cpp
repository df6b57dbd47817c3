#include "forecast/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forecast/forecast.h"
#include "forecast/target.h"
#include "machine/team_waiting.h"
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

// Two threads of an OpenMP team meet at a barrier twice, after 30 us each; waking the other one took 5 us.
Timeline team(std::optional<std::vector<Setting>> settings) {
    constexpr std::int64_t us = 1'000;
    extract::Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.begin(0, 0).create(0, 0, 1).begin(1, 0);
    for (std::int64_t const round : {0, 1})
        for (std::uint32_t const thread : {0, 1})
            recording.add(thread, {.kind = EventKind::barrier_wait,
                                   .at = (round * 70 + 30 * (thread + 1)) * us,
                                   .cpu = 30 * us,
                                   .span = thread == 1 ? 5 * us : 40 * us,
                                   .object = 0,
                                   .cpu_inside = thread == 1 ? 5 * us : 0});
    recording.end(0, 140 * us).end(1, 140 * us);
    recording.timeline().provenance.settings = std::move(settings);
    return recording.timeline();
}

Answer of_team(std::optional<std::vector<Setting>> settings, Machine const& shape,
               std::optional<WaitPolicy> asked = std::nullopt) {
    TargetMachine target{shape};
    target.waiting = asked;
    target.shape.waiting = with_team_waiting(shape.waiting, asked);
    Question question;
    question.cpus = {1, 2};
    auto forecast = forecast_recording("x.parcast", team(std::move(settings)), target, question);
    EXPECT_TRUE(forecast.has_value());
    return forecast ? forecast->answer : Answer{};
}

// Two threads of 200 ms each, as they were measured on one CPU and on two.
Answer of_measured(BareRun const& one, BareRun const& two) {
    extract::Recording recording(2);
    recording.begin(0, 0).create(0, 0, 1);
    recording.begin(1, 0)
        .end(1, 400 * millisecond, 200 * millisecond)
        .end(0, 400 * millisecond, 200 * millisecond);
    auto recorded = recording.timeline();
    recorded.provenance.ended_regularly = true;
    recorded.provenance.exit_status = 0;
    recorded.provenance.cpu_ns = 400 * millisecond;
    recorded.provenance.wall_ns = 400 * millisecond;
    recorded.provenance.measured = {{1, {one, one}}, {2, {two, two}}};
    Question question;
    question.cpus = {1, 4};
    question.ranges = {.is_asked = true, .replays = 6};
    auto predicted = forecast::forecast({"x.parcast", std::move(recorded)}, {linux_machine(1)}, question);
    EXPECT_TRUE(predicted.has_value());
    return predicted ? predicted->answer : Answer{};
}

TEST(MeasuredRecording, IsComparedOnCountsThatNobodyAskedFor) {
    auto const answer = of_measured({400 * millisecond, 400 * millisecond, 0, 0},
                                    {205 * millisecond, 402 * millisecond, 0, 0});
    ASSERT_EQ(answer.rows.size(), 2U);
    ASSERT_EQ(answer.recording().measured.size(), 1U);
    auto const& check = answer.recording().measured.front();
    EXPECT_EQ(check.verdict, MeasuredVerdict::holds);
    EXPECT_NEAR(check.predicted, 2, 0.02);
    EXPECT_LT(check.predicted_range.high - check.predicted_range.low, 1) << "it has a range";
    EXPECT_FALSE(has_finding(answer.findings, FindingKind::measured_otherwise));
}

// Two threads that write to one buffer: predicted 1.99, measured 0.81, and no recording on one CPU sees it.
TEST(MeasuredRecording, ThatNobodyMadeIsANoteOfPredictionsForSeveralBusyCpus) {
    auto const notes = with_turns(0, linux_machine(1)).recording().machine.notes;
    EXPECT_EQ(std::ranges::count(notes, not_measured_note), 1);
    auto const checked = of_measured({400 * millisecond, 400 * millisecond, 0, 0},
                                     {205 * millisecond, 402 * millisecond, 0, 0});
    EXPECT_EQ(std::ranges::count(checked.recording().machine.notes, not_measured_note), 0);

    extract::Recording alone(1);
    alone.begin(0, 0).end(0, 28 * millisecond, 28 * millisecond);
    Question question;
    question.cpus = {1, 2};
    auto const of_one_thread =
        forecast_recording("x.parcast", alone.timeline(), {linux_machine(1)}, question);
    ASSERT_TRUE(of_one_thread.has_value());
    EXPECT_TRUE(of_one_thread->answer.recording().machine.notes.empty());
}

// A triad: predicted 2.0, measured 1.33, since the memory is shared.
TEST(MeasuredRecording, ThatSharedMemorySlowsDownIsPredictedAsMeasured) {
    auto const answer = of_measured({400 * millisecond, 400 * millisecond, 0, 0},
                                    {300 * millisecond, 598 * millisecond, 0, 0});
    auto const& check = answer.recording().measured.front();
    EXPECT_EQ(check.verdict, MeasuredVerdict::adopted);
    EXPECT_NEAR(check.predicted, 1.33, 0.03);
    EXPECT_TRUE(answer.recording().machine.measured_growth.has_value());
    EXPECT_FALSE(has_finding(answer.findings, FindingKind::measured_otherwise));
    EXPECT_TRUE(std::ranges::any_of(answer.assumptions, [](auto const& sentence) {
        return sentence.starts_with("By record --measure");
    }));
}

// Two counters in one cache line: no memory explains four times the CPU time.
TEST(MeasuredRecording, ThatSharesCacheLinesIsNotTakenForMemory) {
    auto const answer = of_measured({400 * millisecond, 400 * millisecond, 0, 0},
                                    {750 * millisecond, 1490 * millisecond, 0, 0});
    EXPECT_FALSE(answer.recording().machine.measured_growth.has_value());
    EXPECT_TRUE(has_finding(answer.findings, FindingKind::measured_otherwise));
    EXPECT_TRUE(withholds_conclusions(answer.findings));
    EXPECT_FALSE(answer.scaling.has_value());
}

std::vector<Setting> policy(std::string const& word) {
    return {{"OMP_WAIT_POLICY", word}};
}

bool says(Answer const& answer, std::string const& words) {
    return std::ranges::any_of(answer.assumptions, [&](std::string const& sentence) {
        return sentence.find(words) != std::string::npos;
    });
}

constexpr std::int64_t awake_ns = 60'000;
constexpr std::int64_t asleep_ns = 70'000;

TEST(WaitingOfTeams, FollowsTheEnvironmentOfTheRecordedRun) {
    auto const time = [](Answer const& answer) { return answer.rows.at(1).run.accounts.completion.ns; };
    auto const machine = linux_without_costs();
    EXPECT_EQ(time(of_team(std::nullopt, machine)), awake_ns);
    EXPECT_EQ(time(of_team(std::vector<Setting>(), machine)), awake_ns);
    EXPECT_EQ(time(of_team(policy("passive"), machine)), asleep_ns);
    EXPECT_EQ(time(of_team(policy("ACTIVE"), machine)), awake_ns);
    EXPECT_EQ(time(of_team(std::vector<Setting>{{"GOMP_SPINCOUNT", "0"}}, machine)), asleep_ns);
    EXPECT_EQ(time(of_team(policy("passive"), machine, WaitPolicy::active)), awake_ns);
    EXPECT_EQ(time(of_team(policy("active"), machine, WaitPolicy::passive)), asleep_ns);
}

TEST(WaitingOfTeams, IsSaidWithWhereItComesFrom) {
    auto const machine = linux_without_costs();
    EXPECT_TRUE(says(of_team(std::nullopt, machine), "does not know the policy"));
    EXPECT_TRUE(says(of_team(std::vector<Setting>(), machine), "the recorded run set no policy"));
    EXPECT_TRUE(says(of_team(policy("passive"), machine), "the recorded run had OMP_WAIT_POLICY=passive"));
    EXPECT_TRUE(says(of_team(policy("nonsense"), machine), "the recorded run set no policy"));
    EXPECT_TRUE(says(of_team(policy("passive"), machine, WaitPolicy::active), "--waiting active"));
    EXPECT_TRUE(says(of_team(std::nullopt, ideal_machine(1)), "Nobody spins under the scheduler ideal"));
    EXPECT_FALSE(says(of_team(policy("passive"), ideal_machine(1)), "spin"));
}

// With a CPU for each thread of a team that spins, nobody is woken: neither is the range charged for it. On
// one CPU each of two wake-ups takes 5 us; under the active policy threads spin for 32 us before, which the
// lower bound does without.
TEST(WaitingOfTeams, IsThatOfTheIdealRange) {
    auto const asleep = of_team(policy("passive"), linux_without_costs()).rows.at(1);
    EXPECT_NEAR(asleep.speed_up, 130.0 / 70, 1e-9);
    EXPECT_NEAR(asleep.bounds->upper, 130.0 / 70, 1e-9);
    EXPECT_NEAR(asleep.bounds->lower, 130.0 / (60 / 2 + 70), 1e-9);
    auto const awake = of_team(policy("active"), linux_without_costs()).rows.at(1);
    EXPECT_NEAR(awake.speed_up, (130.0 + 2 * 32) / 60, 1e-9);
    EXPECT_NEAR(awake.bounds->upper, (130.0 + 2 * 32) / 60, 1e-9);
    EXPECT_NEAR(awake.bounds->lower, 130.0 / (60 / 2 + 60), 1e-9);
}

// A machine file of linux, as `calibrate` writes it, under --scheduler ideal: that was the linux scheduler of
// the file with the lock policy of ideal.
TEST(TargetMachines, UnderAnotherSchedulerThanTheirFilesHaveNoneOfItsCosts) {
    std::string const text =
        "version = 1\nlock_policy = \"barging\"\n[scheduler]\nkind = \"linux\"\n[costs]\ncontext_switch_ns = "
        "2000\nwake_up_ns = 30000\n[rates]\ncompute = [1, 0.9]\nmemory = [1, 0.9]\n";
    auto const ideal = number_of(IdealScheduler{});
    auto const target = machine_and_cpus(text, "here.toml", ideal, usual_scheduler);
    ASSERT_TRUE(target.has_value());
    auto expected = ideal_machine(1);
    expected.rates = {.compute = {1, 0.9}, .memory = {1, 0.9}};
    expected.name = target->machine.shape.name;
    EXPECT_EQ(target->machine.shape, expected);
    auto const notes = machine_basis(target->machine, 1).notes;
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes.front(),
              "the scheduler ideal does without lock_policy, context_switch_ns and wake_up_ns of here.toml");
    auto const own = machine_and_cpus(text, "here.toml", std::nullopt, usual_scheduler);
    ASSERT_TRUE(own.has_value());
    EXPECT_EQ(own->machine.shape.costs.wake_up.ns, 30'000);
    EXPECT_TRUE(machine_basis(own->machine, 1).notes.empty());
}

}  // namespace
}  // namespace parcast::forecast
