// What to change first, and whether the replays keep what the weights promise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/what_to_change.h"
#include "answer/advice_sentences.h"
#include "forecast/advise.h"
#include "forecast/forms.h"
#include "forecast/recording.h"
#include "program/task_graph_builder.h"
#include "report/advice.h"
#include "report/prediction.h"
#include "simulate/simulate.h"
#include "support/program_builder.h"

namespace parcast {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

// Eight threads in `fill`: 8 units for themselves, then 2 with the table locked, ten times.
ThreadProgram locked_table() {
    constexpr std::uint32_t workers = 8;
    ProgramBuilder builder(workers + 1, 100'000);
    auto const table = builder.object(ObjectKind::mutex);
    for (std::uint32_t worker = 1; worker <= workers; ++worker) {
        builder.thread(0).create(worker);
        for (int round = 0; round < 10; ++round)
            builder.thread(worker).work(8).lock(table).work(2).unlock(table);
    }
    for (std::uint32_t worker = 1; worker <= workers; ++worker)
        builder.thread(0).join(worker);
    auto program = builder.finish();
    for (auto& site : program.catalogue.sites)
        site.frames = {{"fill", "/src/table.c", 12}};
    program.catalogue.objects[table.index()].name = "table";
    program.catalogue.objects[table.index()].first_site = SiteId(20);
    return program;
}

struct Advised {
    Answer basis;
    Advice advice;

    std::vector<std::string> sentences() const { return report::advice_sentences(basis, advice); }
};

Advised advice_on(ThreadProgram program, std::vector<std::uint32_t> cpus,
                  std::uint32_t replays_for_ranges = 0) {
    Question question;
    question.cpus = std::move(cpus);
    question.workers = 2;
    question.ranges = {replays_for_ranges > 0, replays_for_ranges};
    auto forecast = forecast::forecast({"table.json", std::move(program)}, {ideal_machine(1)}, question);
    EXPECT_TRUE(forecast) << (forecast ? "" : forecast.error().message);
    auto advice = forecast::advise(*forecast, {.workers = 2});
    EXPECT_TRUE(advice) << (advice ? "" : advice.error().message);
    return {std::move(forecast->answer), std::move(*advice)};
}

AdviceRow const& first_of(AdviceOnCpus const& at) {
    return at.rows[at.first.value()];
}

TEST(Advise, NamesTheFunctionWhileCpusAreScarceAndTheLockFromThereOn) {
    // 80 ms of work and 16 ms under the lock: on 8 CPUs the lock is never free.
    auto const advised = advice_on(locked_table(), {1, 2, 8, 16});
    auto const& advice = advised.advice;
    for (std::size_t count = 0; count < advice.counts.size(); ++count) {
        auto const kind = advice.work[first_of(advice.counts[count]).work].kind;
        EXPECT_EQ(kind, count < 2 ? OwnerKind::function : OwnerKind::lock) << advice.counts[count].cpus;
    }
    auto const says = advised.sentences();
    ASSERT_EQ(says.size(), 2U);
    EXPECT_THAT(says[0], StartsWith("On 1 to 2 CPUs, change fill (table.c:12) first: it decides"));
    EXPECT_THAT(
        says[1],
        StartsWith("From 8 CPUs on, change the work under mutex table (table.c:12) first: it decides"));
    EXPECT_THAT(says[1], HasSubstr("Half of that work takes"));
}

TEST(Advise, SaysHowSureTheGainIs) {
    auto const advised = advice_on(locked_table(), {1, 2, 8}, 8);
    auto const& at = advised.advice.counts.back();
    auto const half = tried_at(first_of(at), 0.5);
    ASSERT_TRUE(half && half->gain_range);
    EXPECT_LT(half->gain_range->low, gain(at, *half));
    EXPECT_GT(half->gain_range->high, gain(at, *half));
    EXPECT_THAT(advised.sentences().back(),
                ContainsRegex("Half of that work takes [0-9]+ % \\([0-9]+ to [0-9]+ %\\) off the time"));
    EXPECT_TRUE(at.time_range_ns.has_value());
}

// Counts that deadlock between others were part of "On 1 to 4 CPUs, no function is worth a change".
TEST(Advise, ClaimsNothingForCountsThatDeadlock) {
    std::vector<ChangeableWork> const work{{.kind = OwnerKind::function, .name = "fill", .self_ns = 100},
                                           {.kind = OwnerKind::thread, .name = "T1", .self_ns = 50},
                                           {.kind = OwnerKind::thread, .name = "T2", .self_ns = 50}};
    std::vector<AdviceOnCpus> counts(3);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i].cpus = static_cast<std::uint32_t>(1 + i);
        counts[i].completion_ns = 100;
        if (i == 1)
            continue;
        counts[i].time_ns = 100;
        counts[i].rows = {{.work = 0, .decided_ns = 1, .tried = {}},
                          {.work = 1, .decided_ns = 99, .tried = {}}};
    }
    auto const says = leader_sentences(work, counts, {});
    ASSERT_EQ(says.size(), 2U);
    EXPECT_THAT(says[0].text, StartsWith("On 1 CPU, no function"));
    EXPECT_THAT(says[1].text, StartsWith("On 3 CPUs, no function"));
}

TEST(Advise, OnOneCpuEachPieceDecidesWhatItTakes) {
    auto const advice = advice_on(locked_table(), {1}).advice;
    for (auto const& row : advice.counts[0].rows) {
        EXPECT_DOUBLE_EQ(row.weight, 1);
        for (auto const& tried : row.tried)
            EXPECT_NEAR(tried.time_ns.value(), tried.promised_ns, 1000) << tried.factor;
    }
}

TEST(Advise, ReplaysKeepWhatWeightsPromiseOfSmallChanges) {
    auto const advice = advice_on(locked_table(), {2, 8, 16}).advice;
    for (auto const& at : advice.counts) {
        auto const& little = first_of(at).tried.at(0);
        EXPECT_EQ(little.factor, 0.9);
        EXPECT_NEAR(little.time_ns.value(), little.promised_ns, 0.03 * *at.time_ns) << at.cpus;
    }
}

// It stretches sleeping: while two threads share the CPU for 2, the third one's sleep is over at 2, not at 3.
TEST(Advise, TheCompletionOfTheExtendedCriticalPathIsNoPrediction) {
    ProgramBuilder builder(3, 1'000'000);
    builder.thread(0).work(1);
    builder.thread(1).work(1);
    builder.thread(2).sleep(2).work(1);
    auto const advice = advice_on(builder.finish_with_all_created(), {1}).advice;
    EXPECT_DOUBLE_EQ(advice.counts[0].completion_ns, 4e6);
    EXPECT_DOUBLE_EQ(*advice.counts[0].time_ns, 3e6);
}

TEST(Advise, TheOrderedModelAdvisesNothing) {
    auto advised = advice_on(locked_table(), {1, 8});
    advised.basis.recording().model = "ordered";
    EXPECT_THAT(advised.sentences(), testing::ElementsAre(StartsWith("Nothing is advised")));
}

// By the weights one thing came first, and half of it brought 0.8 % when it was tried.
TEST(Advise, WhatATrialRefutesIsNotFirst) {
    std::vector<ChangeableWork> const work = {{OwnerKind::function, "main", {}, {}, 1, 100}};
    AdviceOnCpus at;
    at.cpus = 2;
    at.time_ns = 100;
    at.completion_ns = 100;
    at.rows = {{0, 0.94, 94, {}}};
    at.first = 0;
    EXPECT_TRUE(has_leader(at));
    at.rows[0].tried = {{0.5, 99.2, 53, PartsBy::path}};
    EXPECT_FALSE(has_leader(at));
    auto const says = leader_sentences(work, std::vector{at}, {});
    ASSERT_EQ(says.size(), 1U);
    EXPECT_THAT(says[0].text, HasSubstr("no function"));
}

TEST(Advise, SaysWhatComesFirstOnceTheFirstIsMostlyGone) {
    auto const advised = advice_on(locked_table(), {1, 2, 8});
    auto const& at = advised.advice.counts.back();
    ASSERT_TRUE(at.overtaken && at.overtaken->by) << "without its lock, the function decides";
    EXPECT_LT(at.overtaken->factor, 1);
    EXPECT_EQ(advised.advice.work[*at.overtaken->by].kind, OwnerKind::function);
    EXPECT_THAT(advised.sentences().back(), HasSubstr("comes first."));
}

TEST(Advise, EverySegmentHasItsTimeAndItsWeightOnEachCount) {
    ProgramBuilder builder(2, 1'000);
    builder.thread(0).work(10);
    builder.thread(1).work(4).yield().work(2);
    auto const program = builder.finish_with_all_created();
    Question question;
    question.cpus = {1, 2};
    auto forecast = forecast::forecast_threads("two.json", program, {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast) << forecast.error().message;
    auto const advice = forecast::advise(*forecast, {.segments = true});
    ASSERT_TRUE(advice) << advice.error().message;
    ASSERT_EQ(advice->segments.size(), 3U);
    EXPECT_EQ(advice->segments[1].begin_ns, 0);
    EXPECT_EQ(advice->segments[1].end_ns, 4'000);
    EXPECT_EQ(advice->segments[2].begin_ns, 4'000);
    EXPECT_EQ(advice->segments[2].end_ns, 6'000);
    EXPECT_EQ(advice->counts[0].weight_times_cpus, (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(advice->counts[1].weight_times_cpus, (std::vector<double>{2, 0, 0}));
}

TEST(Advise, WeightsOfOperationsAreThoseOfSegmentsAlsoWhereCpusSlowEachOtherDown) {
    auto const program = locked_table();
    auto const checked = CheckedProgram::of(program);
    ASSERT_TRUE(checked);
    auto const run = simulate::run_unbounded(*checked, simulate::Pairing::any, true);
    ASSERT_TRUE(run && run->causes);
    analysis::WhatToChange const what(program, *run->causes);
    std::vector<double> const speeds = {1, 0.9, 0.7, 0.5};
    auto const by_operation = what.weights_on(4, speeds);
    std::vector<double> of_work;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        for (std::size_t i = 0; i < program.lists[thread].size(); ++i)
            if (program.lists[thread][i].work_ns > 0)
                of_work.push_back(4.0 * by_operation[thread][i]);
    EXPECT_THAT(of_work, testing::Pointwise(testing::DoubleNear(1e-4), what.weights_times_cpus(4, speeds)))
        << "floats have seven digits";
    EXPECT_THAT(of_work,
                testing::Not(testing::Pointwise(testing::DoubleNear(0.1), what.weights_times_cpus(4))));
}

TEST(Advise, GroupsOfATaskGraphAreWeighedAndTried) {
    // Two chains of 6 and of 2; then 1 for both.
    TaskGraphBuilder builder;
    auto const slow = builder.add_task(6'000);
    auto const fast = builder.add_task(2'000);
    auto const last = builder.add_task(1'000);
    builder.precede(slow, last);
    builder.precede(fast, last);
    auto graph = std::move(builder).finish();
    graph.group_names = {"slow", "fast", "last"};
    Question question;
    question.cpus = {1, 2};
    question.what_if = {*parse_scenario("group:slow*0.5")};
    auto forecast = forecast::forecast_task_graph("g.json", {std::move(graph)}, {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast) << forecast.error().message;
    EXPECT_EQ(forecast->answer.rows[1].what_if_ns, (std::vector<std::optional<double>>{4'000}));
    auto const advice = forecast::advise(*forecast, {});
    ASSERT_TRUE(advice) << advice.error().message;
    auto const& two = advice->counts[1];
    EXPECT_EQ(advice->work[first_of(two).work].name, "slow");
    EXPECT_DOUBLE_EQ(two.completion_ns, 7'000);
    EXPECT_DOUBLE_EQ(first_of(two).decided_ns, 6'000);
    EXPECT_THAT(report::advice_sentences(forecast->answer, *advice).front(), HasSubstr("task slow"));
}

TEST(Advise, AGraphThatDependsOnTheNumberOfCpusIsRefused) {
    TaskGraphBuilder builder;
    builder.add_task(1'000);
    Question question;
    question.cpus = {1, 2};
    auto forecast =
        forecast::forecast_task_graph("g.json", {std::move(builder).finish()}, {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast);
    forecast->answer.graph().depends_on_cpus = true;
    auto const advice = forecast::advise(*forecast, {});
    ASSERT_FALSE(advice);
    EXPECT_EQ(advice.error().code, ErrorCode::unasked);
    EXPECT_THAT(advice.error().advice, HasSubstr("--set P="));
}

TEST(WhatIf, AChangeOfThreadsIsRefusedForAGraph) {
    TaskGraphBuilder builder;
    builder.add_task(1'000);
    Question question;
    question.cpus = {1};
    auto const graph = std::move(builder).finish();
    for (auto const* text : {"function:fill*0.5", "wake-ups=free"}) {
        question.what_if = {*parse_scenario(text)};
        auto const forecast = forecast::forecast_task_graph("g.json", {graph}, {ideal_machine(1)}, question);
        ASSERT_FALSE(forecast);
        EXPECT_THAT(forecast.error().message, StartsWith('"' + std::string(text) + '"'));
        EXPECT_THAT(forecast.error().advice, HasSubstr("group:NAME"));
    }
}

TEST(WhatIf, EachChangeHasATimeOnEachCount) {
    Question question;
    question.cpus = {1, 8};
    question.what_if = {*parse_scenario("lock:table=free"), *parse_scenario("function:fill*0.5")};
    auto const forecast =
        forecast::forecast_threads("table.json", locked_table(), {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast) << forecast.error().message;
    auto const& rows = forecast->answer.rows;
    EXPECT_EQ(forecast->answer.what_if, (std::vector<std::string>{"lock:table=free", "function:fill*0.5"}));
    EXPECT_EQ(rows[0].what_if_ns, (std::vector<std::optional<double>>{80e6, 40e6}));
    EXPECT_EQ(rows[1].what_if_ns[0], 10e6) << "eight threads of 10 ms without the lock";
    EXPECT_GT(rows[1].time_ns, 16e6);
}

TEST(WhatIf, EachChangeHasARangeWhereTimesHaveOne) {
    Question question;
    question.cpus = {1, 8};
    question.what_if = {*parse_scenario("lock:table=free"), *parse_scenario("function:fill*0.5")};
    question.ranges = {true, 8};
    auto const forecast = forecast::forecast({"table.json", locked_table()}, {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast) << forecast.error().message;
    for (auto const& row : forecast->answer.rows) {
        ASSERT_EQ(row.what_if_gains.size(), 2U);
        for (std::size_t change = 0; change < 2; ++change) {
            double const gain = 1 - *row.what_if_ns[change] / row.time_ns;
            ASSERT_TRUE(row.what_if_gains[change].has_value());
            EXPECT_LE(row.what_if_gains[change]->low, gain);
            EXPECT_GE(row.what_if_gains[change]->high, gain);
        }
    }
    EXPECT_THAT(report::prediction_text(forecast->answer, {}),
                ContainsRegex("What if, with the 90 % range of each change(.|\n)* -[0-9]+ % \\(-[0-9]+ to"));
}

// The text asked a recording for its schedules, and parcast ended with an abort.
TEST(WhatIf, TheTextOfAProgramOfThreadsHasNoSchedules) {
    Question question;
    question.cpus = {1, 8};
    question.what_if = {*parse_scenario("lock:table=free")};
    auto const forecast =
        forecast::forecast_threads("table.json", locked_table(), {ideal_machine(1)}, question);
    ASSERT_TRUE(forecast) << forecast.error().message;
    EXPECT_THAT(report::prediction_text(forecast->answer, {}), HasSubstr("\nWhat if\n"));
}

TEST(WhatIf, AnUnknownNameIsRefusedWithTheNearest) {
    Question question;
    question.cpus = {2};
    question.what_if = {*parse_scenario("lock:tabel*0.5")};
    auto const forecast =
        forecast::forecast_threads("table.json", locked_table(), {ideal_machine(1)}, question);
    ASSERT_FALSE(forecast);
    EXPECT_EQ(forecast.error().code, ErrorCode::unasked);
    EXPECT_THAT(forecast.error().advice, HasSubstr("table"));
}

}  // namespace
}  // namespace parcast
