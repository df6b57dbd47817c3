// The full model: tasks that delay each other, and the price of taking them from a queue. The table was
// computed twice as those of deterministic_test.cpp.

#include "model/deterministic/deterministic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "model/deterministic/policies_for.h"
#include "support/graph_execution.h"
#include "support/graphs_in_ns.h"
#include "support/linear_contention.h"

namespace parcast::model {
namespace {

constexpr double of_printed_digits = 1e-7;

struct ContentionRow {
    TaskGraph (*graph)();
    std::uint32_t processors;
    double coefficient;
    double time;
};

// T_delay = CPU time * c * (number of running tasks - 1).
ContentionRow const contention_rows[] = {
    {reference::g1_fork_join, 1, 0.1, 30},
    {reference::g1_fork_join, 1, 0.5, 30},
    {reference::g1_fork_join, 2, 0.5, 25},
    {reference::g1_fork_join, 3, 0.1, 17.4},
    {reference::g1_fork_join, 4, 0.1, 16.5},
    {reference::g1_fork_join, 4, 0.5, 22.5},
    {reference::g5_not_series_parallel, 1, 0.5, 14},
    {reference::g5_not_series_parallel, 2, 0.1, 9.95},
    {reference::g5_not_series_parallel, 3, 0.1, 9.95},
    {reference::g5_not_series_parallel, 3, 0.5, 11.75},
    {reference::g5_not_series_parallel, 4, 0.5, 11.75},
    {reference::g7_two_phases, 1, 0.1, 36},
    {reference::g7_two_phases, 2, 0.1, 22.5},
    {reference::g7_two_phases, 2, 0.5, 28.5},
    {reference::g7_two_phases, 3, 0.5, 26},
    {reference::g7_two_phases, 4, 0.1, 18},
};

TEST(FullModel, TakesTheTimesOfTheTables) {
    for (auto const& row : contention_rows) {
        auto const graph = in_ns(row.graph());
        auto const law = linear_contention(graph, row.coefficient);
        auto const execution = must_execute(graph, row.processors, ready::Fifo{}, {.contention = &law});
        EXPECT_NEAR(execution.time_ns / unit_ns, row.time, of_printed_digits * row.time)
            << graph.tasks() << " tasks on " << row.processors << ", " << row.coefficient;
    }
}

TEST(FullModel, TasksThatUseAResourceLessAreDelayedLess) {
    auto graph = in_ns(reference::g5_not_series_parallel());
    graph.resources = {{"weight", {0.2, 1.0, 0.5, 0.0, 2.0, 0.1}}};
    auto const law = linear_contention(graph, 0.3, "weight");
    for (std::uint32_t const processors : {2U, 3U}) {
        auto const execution = must_execute(graph, processors, ready::Fifo{}, {.contention = &law});
        EXPECT_NEAR(execution.time_ns / unit_ns, 10.03076923, 1e-8);
    }
}

// Statically scheduled tasks that a process runs one after the other may as well be one task.
TEST(FullModel, GivesTheCondensedGraphTheTimeOfTheOriginal) {
    auto const original = in_ns(reference::g8_regions());
    auto const condensed = fork_join({0.5, 9 + 8 + 7 + 1, 1 + 1 + 2 + 2, 2 + 3 + 3 + 3, 0.5});
    EXPECT_EQ(must_execute(original, 3, ready::StaticBlock{}).time_ns, 26 * unit_ns);
    EXPECT_EQ(must_execute(condensed, 3, ready::StaticBlock{}).time_ns, 26 * unit_ns);
    auto const law = linear_contention(original, 0.2);
    EXPECT_NEAR(must_execute(original, 3, ready::StaticBlock{}, {.contention = &law}).time_ns, 29.4 * unit_ns,
                1e-7);
    EXPECT_NEAR(must_execute(condensed, 3, ready::StaticBlock{}, {.contention = &law}).time_ns,
                29.4 * unit_ns, 1e-7);
}

TEST(FullModel, SolvesTheLawOnceForEveryStateThatDiffers) {
    auto const graph = fork_join(std::vector<double>(100, 1));
    int calls = 0;
    auto law = linear_contention(graph, 0.1);
    law.solve = [&calls, solve = law.solve](auto running, auto delay) {
        ++calls;
        return solve(running, delay);
    };
    must_execute(graph, 8, ready::Fifo{}, {.contention = &law});
    EXPECT_LE(calls, 9);
}

TEST(FullModel, HandsOnWhatALawComplainsOf) {
    auto law = linear_contention(in_ns(reference::g1_fork_join()), 0.1);
    law.solve = [](auto, auto) -> Result<void> { return fail(ErrorCode::not_converged, "no fixed point"); };
    auto const result = execute(in_ns(reference::g1_fork_join()), 2, ready::Fifo{}, {.contention = &law});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message, "no fixed point");
}

TEST(FullModel, RefusesALawThatSpeedsTasksUp) {
    auto const law = linear_contention(in_ns(reference::g1_fork_join()), -0.1);
    auto const result = execute(in_ns(reference::g1_fork_join()), 2, ready::Fifo{}, {.contention = &law});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::inconsistent);
}

// Every class counted as a customer: 100 tasks with differing rates took 5.17 s on one CPU, and not 0.100 s.
TEST(SharedProcessors, TasksOfManyClassesMeetNobodyOnOneProcessor) {
    auto graph = graph_of(std::vector<double>(100, 1), {});
    ResourceUse use{"w", {}};
    for (std::size_t group = 0; group < graph.groups(); ++group)
        use.value.push_back(static_cast<double>(group + 1));
    graph.resources = {use};
    auto const law = linear_contention(graph, 0.5, "w");
    auto const execution = must_execute(graph, 1, policy("ps"), {.contention = &law});
    EXPECT_NEAR(execution.time_ns, 100 * unit_ns, 1e-9 * execution.time_ns);
    EXPECT_EQ(execution.lost.contention_ns, 0);
}

// With two processors, a task is delayed by the other's: by the linear law each by c times its weight,
// whoever the other one is.
TEST(SharedProcessors, ATaskMeetsOneOtherOnTwoProcessors) {
    auto graph = graph_of({3, 3, 3, 3, 3}, {});
    graph.resources = {{"w", {1, 2, 3, 4, 5}}};
    auto const law = linear_contention(graph, 0.5, "w");
    std::vector<double> alone;
    for (double const weight : graph.resources[0].value)
        alone.push_back(3 * (1 + 0.5 * weight));
    auto const execution = must_execute(graph, 2, policy("ps"), {.keep = Keep::schedule, .contention = &law});
    // The lightest of five has 2/5 of a processor until it ends.
    auto const& first = execution.schedule.front();
    EXPECT_EQ(first.task, TaskId(0));
    EXPECT_NEAR(first.finish_ns, alone[0] * 5 / 2 * unit_ns, 1e-9 * first.finish_ns);
}

TEST(SharedProcessors, OneClassIsDelayedByAsManyAsThereAreProcessors) {
    auto const graph = graph_of({2, 2, 2, 2, 2, 2}, {});
    auto const law = linear_contention(graph, 0.25);
    EXPECT_NEAR(must_execute(graph, 3, policy("ps"), {.contention = &law}).time_ns, 2 * 1.5 * 2 * unit_ns,
                1e-6);
}

// Adve 1993, section 4.4.2: contention as a list of rates by running tasks.
TEST(SpeedsLaw, SlowsEachTaskByTheListOfItsGroup) {
    auto graph = graph_of({4, 4, 4}, {});
    graph.resources = {{"speed.1", {1, 1, 0}}, {"speed.2", {0.8, 0.5, 0}}, {"speed.3", {0, 0.25, 0}}};
    auto const execution = must_execute(graph, 3, ready::Fifo{}, {.keep = Keep::schedule});
    // All three: speeds 0.8, 0.25, 1. The third ends at 4, the first has 0.8 left, the second 3: 0.8 and
    // 0.5. The first ends at 5, the second has 2.5 left.
    EXPECT_NEAR(execution.schedule[0].finish_ns, 4 * unit_ns, 1e-9 * unit_ns);
    EXPECT_NEAR(execution.schedule[1].finish_ns, 5 * unit_ns, 1e-9 * unit_ns);
    EXPECT_NEAR(execution.time_ns, 7.5 * unit_ns, 1e-9 * unit_ns);
}

TEST(Overhead, DelaysTheStartOfWhatIsFetchedFromAQueue) {
    auto const graph = graph_of({4, 4}, {{0, 1}});
    auto const execution =
        must_execute(graph, 2, ready::Fifo{}, {.keep = Keep::schedule, .fetch_ns = {unit_ns}});
    EXPECT_EQ(execution.time_ns, 10 * unit_ns);
    EXPECT_EQ(execution.lost.overhead_ns, 2 * unit_ns);
    EXPECT_EQ(execution.schedule[0].taken_ns, 0);
    EXPECT_EQ(execution.schedule[0].start_ns, 1 * unit_ns);
}

TEST(Overhead, IsPaidOnceABatch) {
    auto const graph = fork_join({1, 1, 1, 1, 1, 1});
    auto const execution = must_execute(graph, 1, policy("batch:2"), {.fetch_ns = {0.25 * unit_ns}});
    EXPECT_EQ(execution.time_ns, (6 + 4 * 0.25) * unit_ns) << "the fork, two batches of two, the join";
}

TEST(Overhead, IsNotPaidForWhatIsDividedBefore) {
    EXPECT_EQ(must_execute(in_ns(reference::g1_fork_join()), 2, ready::StaticBlock{}, {.fetch_ns = {unit_ns}})
                  .lost.overhead_ns,
              0);
}

TEST(Overhead, MayDependOnHowManyAreBusy) {
    auto const graph = graph_of({4, 4}, {});
    auto const execution = must_execute(graph, 2, ready::Fifo{}, {.fetch_ns = {unit_ns, 3 * unit_ns}});
    EXPECT_EQ(execution.time_ns, 7 * unit_ns);
    EXPECT_EQ(execution.lost.overhead_ns, 4 * unit_ns);
}

TEST(Overhead, IsNotContention) {
    auto const graph = graph_of({4, 4}, {});
    auto const law = linear_contention(graph, 0.5);
    auto const execution =
        must_execute(graph, 2, ready::Fifo{}, {.fetch_ns = {0, 2 * unit_ns}, .contention = &law});
    // 2 alone; then the other 4 at 2/3 while the first does its last 2 in 3; then its last 2 alone.
    EXPECT_NEAR(execution.time_ns, 7 * unit_ns, 1e-9);
    EXPECT_NEAR(execution.lost.contention_ns, 2 * unit_ns, 1e-9);
}

TEST(Lost, AddsUpToTheTimeOfAllProcessors) {
    auto graph = in_ns(reference::g7_two_phases());
    graph.queue = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    graph.subset = graph.queue;
    graph.process.assign(graph.tasks(), any_process);
    auto const law = linear_contention(graph, 0.1);
    for (auto const& one : policies_for(graph)) {
        for (std::uint32_t processors = 1; processors <= 9; ++processors) {
            for (auto const* contention : {static_cast<ContentionLaw const*>(nullptr), &law}) {
                auto const run =
                    must_execute(graph, processors, one, {.fetch_ns = {100}, .contention = contention});
                auto const& lost = run.lost;
                double const all = processors * run.time_ns;
                EXPECT_NEAR(
                    run.work_ns + lost.idle_ns + lost.latency_ns + lost.contention_ns + lost.overhead_ns, all,
                    1e-12 * all)
                    << name_of(one) << " on " << processors;
                double busy = 0;
                double time = 0;
                for (std::size_t count = 0; count < run.busy_for_ns.size(); ++count) {
                    time += run.busy_for_ns[count];
                    busy += static_cast<double>(count) * run.busy_for_ns[count];
                }
                EXPECT_NEAR(time, run.time_ns, 1e-12 * all);
                EXPECT_NEAR(busy, run.mean_busy * run.time_ns, 1e-11 * all) << name_of(one);
            }
        }
    }
}

TEST(Lost, SplitsDelayIntoWhatATaskHasAloneAndWhatOthersAdd) {
    auto const graph = graph_of({4, 4}, {});
    ContentionLaw law;
    law.solve = [](std::span<RunningClass const> running, std::span<double> delay) -> Result<void> {
        delay[0] = running[0].tasks == 1 ? 0.25 : 1;
        return {};
    };
    auto const execution = must_execute(graph, 2, ready::Fifo{}, {.contention = &law});
    EXPECT_DOUBLE_EQ(execution.time_ns, 8 * unit_ns);
    EXPECT_DOUBLE_EQ(execution.lost.latency_ns, 2 * 0.25 * 4 * unit_ns);
    EXPECT_DOUBLE_EQ(execution.lost.contention_ns, 2 * 0.75 * 4 * unit_ns);
}

}  // namespace
}  // namespace parcast::model
