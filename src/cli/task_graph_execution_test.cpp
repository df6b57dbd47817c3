#include "cli/task_graph_execution.h"

#include <gtest/gtest.h>

#include "program/task_graph_builder.h"
#include "timeline/accounts.h"

namespace parcast::cli {
namespace {

using model::Policy;

// 10 before a loop of 30, 20, 20 and 20, before 10.
TaskGraph fork_join() {
    TaskGraphBuilder builder;
    double const times[] = {30, 20, 20, 20};
    auto const fork = builder.add_task(10);
    auto const loop = builder.add_group(times);
    auto const join = builder.add_task(10);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    return std::move(builder).finish();
}

Run run(TaskGraph const& graph, std::uint32_t cpus, Policy const& policy, model::Options options = {}) {
    options.keep = model::Keep::schedule;
    auto const execution = model::execute(graph, cpus, policy, options);
    EXPECT_TRUE(execution.has_value());
    return run_of(graph, *execution);
}

TEST(TaskGraphExecution, ProcessorTimeIsConservedUnderEverySchedule) {
    auto graph = fork_join();
    for (auto const& policy : model::policies_for(graph)) {
        for (std::uint32_t const cpus : {1U, 2U, 3U, 9U}) {
            auto const accounts = run(graph, cpus, policy, {.fetch_ns = {1, 3}}).accounts;
            EXPECT_TRUE(conserves_time(accounts)) << model::name_of(policy) << " on " << cpus;
            EXPECT_EQ(accounts.busy.ns, 110) << model::name_of(policy) << " on " << cpus;
        }
    }
}

TEST(TaskGraphExecution, ProcessorsThatFindNoTaskAreToldFromThoseThatLeaveOne) {
    // On two processors: 10, then 30 + 20 beside 20 + 20, then 10. Only want of tasks.
    auto const greedy = run(fork_join(), 2, model::Fifo{}).accounts;
    EXPECT_EQ(greedy.completion.ns, 70);
    EXPECT_EQ(greedy.idle.ready.ns, 0);
    EXPECT_EQ(greedy.idle.no_thread.ns, 30);
    // In batches of four one process has them all, and the other one is idle beside three, two and one.
    auto const batch = run(fork_join(), 2, model::Batch{model::Batch::Kind::fixed, 4}).accounts;
    EXPECT_EQ(batch.completion.ns, 110);
    EXPECT_EQ(batch.idle.ready.ns, 70);
    EXPECT_EQ(batch.idle.no_thread.ns, 40);
}

TEST(TaskGraphExecution, AFetchIsNotIdleTime) {
    auto const accounts = run(fork_join(), 2, model::Fifo{}, {.fetch_ns = {2}}).accounts;
    EXPECT_EQ(accounts.overhead.ns, 12);
    EXPECT_EQ(accounts.idle.ready.ns, 0);
}

TEST(TaskGraphExecution, TasksThatShareProcessorsWorkForTheirCpuTime) {
    auto const accounts = run(fork_join(), 2, model::ProcessorSharing{}).accounts;
    EXPECT_EQ(accounts.threads[1][ThreadState::running].ns, 30);
    EXPECT_GT(accounts.threads[1][ThreadState::ready].ns, 0);
}

TEST(TaskGraphExecution, WithTotalsAloneThereAreNoTasks) {
    auto const whole = run(fork_join(), 2, model::Fifo{});
    auto const bytes = execution_bytes(whole, view::Detail::totals, {});
    auto const reader = view::SectionReader::open(bytes, view::execution_magic);
    ASSERT_TRUE(reader.has_value());
    EXPECT_EQ(reader->column<double>("thread.created")->size(), 0U);
    EXPECT_EQ((*reader->column<double>("totals"))[1], 70);
    EXPECT_EQ((*reader->column<double>("totals"))[23], 1) << "it has no lanes";
}

// For sums alone a million tasks were put into a timeline that nobody saw.
TEST(TaskGraphExecution, SumsWithoutATimelineAreThoseOfATimeline) {
    auto const graph = fork_join();
    for (auto const& policy : model::policies_for(graph)) {
        for (std::uint32_t const cpus : {1U, 2U, 3U, 9U}) {
            auto const sums =
                executed_bytes(graph, cpus, policy, {.fetch_ns = {1, 3}}, view::Detail::totals, {});
            auto const whole = run(graph, cpus, policy, {.fetch_ns = {1, 3}});
            ASSERT_TRUE(sums);
            EXPECT_EQ(*sums, execution_bytes(whole, view::Detail::totals, {}))
                << model::name_of(policy) << " on " << cpus;
        }
    }
}

TEST(TaskGraphExecution, WhatNoInstantHoldsIsRefused) {
    auto graph = fork_join();
    graph.cpu_ns[0] = 1e19;
    EXPECT_FALSE(executed_bytes(graph, 2, model::Fifo{}, {}, view::Detail::totals, {}).has_value());
}

}  // namespace
}  // namespace parcast::cli
