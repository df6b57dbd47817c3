#include "contract/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/assertion.h"
#include "contract/repeats.h"

namespace parcast::contract {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A recording on 1 and 8 CPUs: 800 ms there, 125 ms here, a speed-up of 6.4 (6.0 to 6.8), and a lock.
Answer answer_on_eight() {
    Answer answer;
    auto& basis = answer.recording();
    basis.provenance.emplace();
    basis.machine.name = "default";
    basis.machine.scheduler = "linux";
    basis.time_on_one = Duration{800'000'000};
    basis.catalogue.threads.resize(1);
    auto& site = basis.catalogue.sites.emplace_back();
    site.frames = {{"add", "/src/list.c", 41}};
    for (char const* const name : {"write_list", ""}) {
        auto& lock = basis.catalogue.objects.emplace_back();
        lock.name = name;
        lock.first_site = SiteId(0);
    }
    Row row;
    row.cpus = 8;
    row.time_ns = 125e6;
    row.speed_up = 6.4;
    row.efficiency = 0.8;
    row.range = RowRange{{115e6, 135e6}, {6.0, 6.8}, {}};
    row.range->shares[static_cast<std::size_t>(Uncertainty::recording)] = 0.04;
    row.range->shares[static_cast<std::size_t>(Uncertainty::memory)] = 0.96;
    row.limits = {{Cause::busy, ObjectId::none(), Duration{800'000'000}, 0.8},
                  {Cause::lock, ObjectId(0), Duration{150'000'000}, 0.15},
                  {Cause::no_thread, ObjectId::none(), Duration{50'000'000}, 0.05}};
    answer.rows.push_back(row);
    answer.ranges.emplace();
    answer.scaling.emplace();
    return answer;
}

JudgedAssertion judged(std::string_view text, Answer const& answer, std::vector<HeldLock> held = {},
                       std::vector<Baseline> baselines = {}) {
    auto const assertion = parse_assertion(text, {});
    EXPECT_TRUE(assertion.has_value()) << text;
    return judge(std::span(&*assertion, 1), {answer, std::move(held), std::move(baselines)}).front();
}

struct Case {
    char const* text;
    Judgement judgement;
    double margin;
    char const* because;
};

TEST(Judgement, IsThatOfTheWholeRange) {
    Case const cases[] = {
        {"speed_up(8) >= 6", Judgement::holds, 0, "the low end is just enough"},
        {"speed_up(8) > 6", Judgement::cannot_tell, 0.4 / 6, "the low end is not more than itself"},
        {"speed_up(8) >= 5", Judgement::holds, 0.2, "6 is a fifth more than 5"},
        {"speed_up(8) >= 6.4", Judgement::cannot_tell, 0, "the number itself is enough, its low end is not"},
        {"speed_up(8) >= 8", Judgement::fails, -0.15, "even 6.8 is less"},
        {"speed_up(8) < 7", Judgement::holds, 0.2 / 7, "an upper bound: a program that must not change"},
        {"time(8) <= 120ms", Judgement::cannot_tell, -5.0 / 120, "125 ms, from 115 to 135"},
        {"time(8) <= 140ms", Judgement::holds, 5.0 / 140, ""},
        {"time(8) <= 100ms", Judgement::fails, -0.15, ""},
        {"efficiency(8) >= 75%", Judgement::holds, 0, "6.0 of 8"},
        {"efficiency(8) >= 90%", Judgement::fails, -0.05, "points, not a share of 90 %"},
    };
    auto const answer = answer_on_eight();
    for (auto const& row : cases) {
        auto const found = judged(row.text, answer);
        EXPECT_EQ(found.judgement, row.judgement) << row.text << ": " << row.because;
        ASSERT_TRUE(found.margin.has_value()) << row.text;
        EXPECT_NEAR(*found.margin, row.margin, 1e-12) << row.text;
    }
}

TEST(Judgement, OfANumberThatIsExactHasNoRange) {
    auto answer = answer_on_eight();
    answer.rows[0].range.reset();
    answer.ranges.reset();
    answer.recording().provenance.reset();
    EXPECT_EQ(judged("speed_up(8) >= 6.4", answer).judgement, Judgement::holds);
    EXPECT_EQ(judged("speed_up(8) > 6.4", answer).judgement, Judgement::fails);
}

TEST(Judgement, OfARecordingWithoutRangesWasThatOfAnExactNumber) {
    auto answer = answer_on_eight();
    answer.rows[0].range.reset();
    answer.ranges.reset();
    auto const found = judged("speed_up(8) >= 1", answer);
    EXPECT_EQ(found.judgement, Judgement::cannot_tell);
    EXPECT_THAT(found.reason, HasSubstr("--runs 0"));
}

TEST(Judgement, CannotBeMadeWhereThePredictionIsWorthlessAndSaysWhy) {
    auto answer = answer_on_eight();
    answer.findings.push_back(
        {.kind = FindingKind::lost_events, .message = "events were lost", .makes_worthless = true});
    auto const found = judged("speed_up(8) >= 1", answer);
    EXPECT_EQ(found.judgement, Judgement::cannot_tell);
    EXPECT_THAT(found.reason, HasSubstr("events were lost"));
    EXPECT_EQ(judged("findings = none", answer).judgement, Judgement::fails) << "that is a fact";
}

TEST(Judgement, CannotBeMadeWhereTheReplayDeadlocksOrHasTooFewReplaysOrKeepsTheOrder) {
    auto answer = answer_on_eight();
    answer.rows[0].run.deadlock.emplace();
    EXPECT_THAT(judged("time(8) < 1s", answer).reason, HasSubstr("deadlocks on 8 CPUs"));
    answer = answer_on_eight();
    answer.rows[0].range.reset();
    EXPECT_THAT(judged("time(8) < 1s", answer).reason, HasSubstr("too few"));
    answer = answer_on_eight();
    answer.recording().model = "ordered";
    EXPECT_THAT(judged("time(8) < 1s", answer).reason, HasSubstr("order of locks"));
    EXPECT_EQ(judged("time(4) < 1s", answer_on_eight()).judgement, Judgement::cannot_tell);
}

TEST(Limit, IsWhatLosesMostUnlessAnotherCauseIsWithinTheRange) {
    auto answer = answer_on_eight();
    EXPECT_EQ(judged("limit(8) != 'lock'", answer).judgement, Judgement::fails);
    EXPECT_EQ(judged("limit(8) == 'lock'", answer).judgement, Judgement::holds);
    EXPECT_EQ(judged("limit(8) != 'input_output'", answer).judgement, Judgement::holds);
    auto const failed = judged("limit(8) != 'lock'", answer);
    EXPECT_EQ(failed.found, "lock");
    EXPECT_EQ(failed.site, SiteId(0)) << "of the lock that loses most";
    EXPECT_THAT(failed.limits, HasSubstr("{object 0}"));
    // Losses are unsure by 0.4 of 8 CPUs: 5 %.
    answer.rows[0].limits[2].share = 0.11;
    auto const close = judged("limit(8) != 'lock'", answer);
    EXPECT_EQ(close.judgement, Judgement::cannot_tell);
    EXPECT_THAT(close.reason, HasSubstr("lock or no_thread"));
    EXPECT_EQ(judged("limit(8) != 'input_output'", answer).judgement, Judgement::holds) << "neither is that";
}

TEST(Limit, IsNoneWhereNothingLosesMuch) {
    auto answer = answer_on_eight();
    answer.rows[0].range->speed_up = {6.4, 6.4};
    answer.rows[0].limits[1].share = 0.02;
    answer.rows[0].limits[2].share = 0.01;
    EXPECT_EQ(judged("limit(8) == none", answer).judgement, Judgement::holds);
    EXPECT_EQ(judged("limit(8) == lock", answer).judgement, Judgement::fails);
}

TEST(HeldLock, IsCalledByItsSymbolItsKindItsPlaceOrItsFunction) {
    auto const answer = answer_on_eight();
    auto const& catalogue = answer.recording().catalogue;
    EXPECT_THAT(locks_called(catalogue, "write_list"), ElementsAre(ObjectId(0)));
    EXPECT_THAT(locks_called(catalogue, "mutex write_list"), ElementsAre(ObjectId(0)));
    EXPECT_THAT(locks_called(catalogue, "list.c:41"), ElementsAre(ObjectId(0), ObjectId(1)));
    EXPECT_THAT(locks_called(catalogue, "src/list.c:41"), ElementsAre(ObjectId(0), ObjectId(1)));
    EXPECT_THAT(locks_called(catalogue, "add"), ElementsAre(ObjectId(0), ObjectId(1)));
    EXPECT_THAT(locks_called(catalogue, "ist.c:41"), ElementsAre());
}

TEST(HeldLock, IsJudgedByTheOneThatIsHeldMostWithARangeAsWideAsTheTime) {
    auto const answer = answer_on_eight();
    std::vector<Duration> const times{Duration{11'250'000}, Duration{25'000'000}};  // of 125 ms
    auto const check = [&](std::string_view text) {
        auto const assertion = parse_assertion(text, {});
        auto const held = held_lock(*assertion, answer, answer.rows[0], times);
        return judged(text, answer, held ? std::vector{*held} : std::vector<HeldLock>());
    };
    auto const found = check("held('write_list', 8) < 10%");
    EXPECT_EQ(found.judgement, Judgement::holds);
    EXPECT_NEAR(found.range->low, 0.09 * 125 / 135, 1e-12);
    EXPECT_NEAR(found.range->high, 0.09 * 125 / 115, 1e-12);
    EXPECT_EQ(check("held('list.c:41', 8) < 10%").judgement, Judgement::fails);
    EXPECT_EQ(check("held('write_list', 8) < 9%").judgement, Judgement::cannot_tell);
    auto const unknown = check("held('write_lst', 8) < 9%");
    EXPECT_EQ(unknown.judgement, Judgement::cannot_tell) << "a lock that was renamed must not hold";
    EXPECT_THAT(unknown.reason, HasSubstr("did you mean \"write_list\""));
}

TEST(Findings, AreNoneWithoutAWarningAndExcludeAKindEvenAsANote) {
    auto answer = answer_on_eight();
    answer.findings.push_back(
        {.kind = FindingKind::openmp_runtime, .severity = Severity::note, .message = "libomp"});
    EXPECT_EQ(judged("findings = none", answer).judgement, Judgement::holds);
    EXPECT_EQ(judged("findings excludes openmp_runtime", answer).judgement, Judgement::fails);
    EXPECT_EQ(judged("findings excludes spin_waiting", answer).judgement, Judgement::holds);
}

TEST(Findings, WereExcludedByARecordingThatIsWorthNothing) {
    auto answer = answer_on_eight();
    answer.findings.push_back({.kind = FindingKind::lost_events,
                               .severity = Severity::warning,
                               .message = "events were lost",
                               .makes_worthless = true});
    auto const found = judged("findings excludes spin_waiting", answer);
    EXPECT_EQ(found.judgement, Judgement::cannot_tell);
    EXPECT_THAT(found.reason, HasSubstr("events were lost"));
    EXPECT_EQ(judged("findings excludes lost_events", answer).judgement, Judgement::fails) << "it is there";
}

Baseline baseline(double time_ns) {
    return {"old.json",
            "default",
            "linux",
            {{8, time_ns, Range{time_ns * 115 / 125, time_ns * 135 / 125}, 0.04}}};
}

TEST(Regression, LeavesOutWhatMakesBothPredictionsWrongAlike) {
    auto const answer = answer_on_eight();
    auto const same = judged("regression(old.json, 8) < 5%", answer, {}, {baseline(125e6)});
    EXPECT_NEAR(*same.value, 0, 1e-12);
    // A fifth of a range of 8.34 % each way is of one recording: sqrt(0.04) of it, twice, by root of squares.
    double const both = std::log(125.0 / 115) * 0.2 * std::sqrt(2.0);
    EXPECT_NEAR(same.range->high, std::exp(both) - 1, 1e-9);
    EXPECT_EQ(same.judgement, Judgement::holds);
    EXPECT_EQ(judged("regression(old.json, 8) < 5%", answer, {}, {baseline(100e6)}).judgement,
              Judgement::fails);
    EXPECT_EQ(judged("regression(old.json, 8) < 5%", answer, {}, {baseline(119e6)}).judgement,
              Judgement::cannot_tell);
    EXPECT_EQ(judged("regression(old.json, 8) < 5%", answer, {}, {baseline(140e6)}).judgement,
              Judgement::holds)
        << "it became faster";
}

TEST(Regression, CannotBeToldFromAnotherMachineOrWithoutThatNumberOfCpus) {
    auto const answer = answer_on_eight();
    auto other = baseline(125e6);
    other.scheduler = "ideal";
    EXPECT_THAT(judged("regression(old.json, 8) < 5%", answer, {}, {other}).reason,
                HasSubstr("another machine"));
    other = baseline(125e6);
    other.times[0].cpus = 4;
    EXPECT_THAT(judged("regression(old.json, 8) < 5%", answer, {}, {other}).reason, HasSubstr("--cpus 8"));
}

TEST(Regression, WasTakenForExactWhereOneSideAloneHasARange) {
    auto answer = answer_on_eight();
    auto exact = baseline(125e6);
    exact.times[0].range.reset();
    auto const found = judged("regression(old.json, 8) < 5%", answer, {}, {exact});
    EXPECT_EQ(found.judgement, Judgement::cannot_tell);
    EXPECT_THAT(found.reason, HasSubstr("the baseline has no range on 8 CPUs"));
    answer.rows[0].range.reset();
    answer.ranges.reset();
    answer.recording().provenance.reset();
    EXPECT_THAT(judged("regression(old.json, 8) < 5%", answer, {}, {baseline(125e6)}).reason,
                HasSubstr("the prediction has no range"));
    EXPECT_EQ(judged("regression(old.json, 8) < 5%", answer, {}, {exact}).judgement, Judgement::holds)
        << "both are exact: programs that were written down";
}

Answer answer_that_takes(double time_ns) {
    auto answer = answer_on_eight();
    auto& row = answer.rows[0];
    double const factor = time_ns / row.time_ns;
    row.time_ns = time_ns;
    row.speed_up /= factor;
    row.range->time_ns = {row.range->time_ns.low * factor, row.range->time_ns.high * factor};
    row.range->speed_up = {row.range->speed_up.low / factor, row.range->speed_up.high / factor};
    return answer;
}

TEST(Repeats, AreTheMedianOneWithTheRangesOfAll) {
    std::vector<Answer> answers{answer_that_takes(150e6), answer_that_takes(110e6), answer_that_takes(125e6)};
    answers[0].findings.push_back({.kind = FindingKind::openmp_runtime, .message = "x", .site = SiteId(0)});
    EXPECT_EQ(median_recording(answers), 2U);
    auto const all = with_ranges_of_all(answers[2], answers);
    auto const& range = *all.rows[0].range;
    EXPECT_NEAR(range.time_ns.low, 110e6 * 115 / 125, 1);
    EXPECT_NEAR(range.time_ns.high, 150e6 * 135 / 125, 1);
    EXPECT_EQ(all.rows[0].time_ns, 125e6);
    double sum = 0;
    for (double const share : range.shares)
        sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_GT(share_of_one_recording(range), 0.9) << "what they differ by is of the recording";
    ASSERT_EQ(all.findings.size(), 1U);
    EXPECT_TRUE(all.findings[0].site.is_none()) << "a place of another catalogue";
    EXPECT_EQ(judged("time(8) < 140ms", all).judgement, Judgement::cannot_tell) << "one of them fails";
}

TEST(Repeats, LostAWorthlessRecordingBehindAFindingOfTheSameKind) {
    std::vector<Answer> answers{answer_on_eight(), answer_on_eight()};
    Finding finding{
        .kind = FindingKind::lost_events, .severity = Severity::warning, .message = "some were lost"};
    answers[0].findings.push_back(finding);
    finding.makes_worthless = true;
    answers[1].findings.push_back(finding);
    EXPECT_TRUE(withholds_conclusions(with_ranges_of_all(answers[0], answers).findings));
    EXPECT_EQ(with_ranges_of_all(answers[1], answers).findings.size(), 1U) << "that says it already";
}

TEST(Repeats, HaveNoRangeWhereOneHasNone) {
    std::vector<Answer> answers{answer_on_eight(), answer_on_eight()};
    answers[1].rows[0].run.deadlock.emplace();
    auto const all = with_ranges_of_all(answers[0], answers);
    EXPECT_EQ(judged("time(8) < 140ms", all).judgement, Judgement::cannot_tell);
}

TEST(Counts, AreThoseOfTheAssertions) {
    std::vector<Assertion> assertions;
    for (char const* const text : {"time(8) < 1s", "findings = none", "held(a, 4) < 1%", "speed_up(8) > 1"})
        assertions.push_back(*parse_assertion(text, {}));
    EXPECT_THAT(counts_of(assertions), ElementsAre(4U, 8U));
    EXPECT_THAT(counts_with_locks(assertions), ElementsAre(4U));
    EXPECT_THAT(counts_of(std::span(assertions).subspan(1, 1)), ElementsAre(1U));
}

}  // namespace
}  // namespace parcast::contract
