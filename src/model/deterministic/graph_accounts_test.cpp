#include "model/deterministic/execution_parts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/deterministic/policies_for.h"
#include "program/task_graph_builder.h"
#include "support/conserves_time.h"
#include "support/graph_execution.h"
#include "support/graphs_in_ns.h"

namespace parcast::model {
namespace {

// 10 before a loop of 30, 20, 20 and 20, before 10.
TaskGraph small_loop() {
    TaskGraphBuilder builder;
    double const times[] = {30, 20, 20, 20};
    auto const fork = builder.add_task(10);
    auto const loop = builder.add_group(times);
    auto const join = builder.add_task(10);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    return std::move(builder).finish();
}

Accounts accounts(std::uint32_t cpus, ReadyPolicy const& policy, std::vector<double> fetch_ns = {}) {
    return must_execute(small_loop(), cpus, policy, {.keep = Keep::schedule, .fetch_ns = std::move(fetch_ns)})
        .run.accounts;
}

TEST(GraphAccounts, ProcessorTimeIsConservedUnderEveryPolicy) {
    for (auto const& policy : policies_for(small_loop())) {
        for (std::uint32_t const cpus : {1U, 2U, 3U, 9U}) {
            auto const found = accounts(cpus, policy, {1, 3});
            EXPECT_TRUE(conserves_time(found)) << name_of(policy) << " on " << cpus;
            EXPECT_EQ(found.busy.ns, 110) << name_of(policy) << " on " << cpus;
        }
    }
}

TEST(GraphAccounts, ProcessorsThatFindNoTaskAreToldFromThoseThatLeaveOne) {
    // On two processors: 10, then 30 + 20 beside 20 + 20, then 10. Only want of tasks.
    auto const greedy = accounts(2, ready::Fifo{});
    EXPECT_EQ(greedy.completion.ns, 70);
    EXPECT_EQ(greedy.idle.ready.ns, 0);
    EXPECT_EQ(greedy.idle.no_thread.ns, 30);
    // In batches of four one process has them all, and the other one is idle beside three, two and one.
    auto const batch = accounts(2, ready::Batch{ready::Batch::Kind::fixed, 4});
    EXPECT_EQ(batch.completion.ns, 110);
    EXPECT_EQ(batch.idle.ready.ns, 70);
    EXPECT_EQ(batch.idle.no_thread.ns, 40);
}

TEST(GraphAccounts, AFetchIsNotIdleTime) {
    auto const found = accounts(2, ready::Fifo{}, {2});
    EXPECT_EQ(found.overhead.ns, 12);
    EXPECT_EQ(found.idle.ready.ns, 0);
}

TEST(GraphAccounts, TasksThatShareProcessorsWorkForTheirCpuTime) {
    auto const found = accounts(2, ready::ProcessorSharing{});
    EXPECT_EQ(found.threads[1][ThreadState::running].ns, 30);
    EXPECT_GT(found.threads[1][ThreadState::ready].ns, 0);
}

TEST(GraphAccounts, OfProcessorsDoNotDependOnWhatIsKept) {
    auto const graph = small_loop();
    for (auto const& policy : policies_for(graph)) {
        for (std::uint32_t const cpus : {1U, 2U, 3U, 9U}) {
            auto const totals = must_execute(graph, cpus, policy, {.fetch_ns = {1, 3}}).run;
            auto const whole =
                must_execute(graph, cpus, policy, {.keep = Keep::timeline, .fetch_ns = {1, 3}}).run;
            EXPECT_TRUE(totals.accounts.threads.empty());
            EXPECT_FALSE(totals.timeline);
            EXPECT_TRUE(whole.timeline);
            EXPECT_EQ(totals.accounts.idle.ready, whole.accounts.idle.ready)
                << name_of(policy) << " on " << cpus;
            EXPECT_EQ(totals.accounts.idle.no_thread, whole.accounts.idle.no_thread);
            EXPECT_EQ(totals.accounts.overhead, whole.accounts.overhead);
        }
    }
}

// What was drawn of an execution was once added up to its accounts; now the engine counts them. Both agree: a
// task has in each state what its intervals say, and idle beside ready is what processors and tasks say.
TEST(GraphAccounts, AreWhatTheTimelineShows) {
    auto graph = in_ns(reference::g7_two_phases());
    graph.queue = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    graph.subset = graph.queue;
    graph.cpu_ns[3] += 0.4;
    graph.cpu_ns[4] /= 3;
    auto policies = policies_for(graph);
    for (auto const* word : {"batch:3", "ps:2", "ps:3", "block-in-order", "cyclic-in-order"})
        policies.push_back(policy(word));
    for (auto const& one : policies) {
        for (std::uint32_t const cpus : {1U, 2U, 3U, 5U, 20U}) {
            SCOPED_TRACE(name_of(one) + " on " + std::to_string(cpus));
            auto const run =
                must_execute(graph, cpus, one, {.keep = Keep::timeline, .fetch_ns = {100, 250}}).run;
            ASSERT_TRUE(conserves_time(run.accounts));
            auto const& rows = *run.timeline->intervals;
            std::vector<Duration> seen(graph.tasks());
            std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> changes;  // of running, of ready
            bool is_shared = false;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                seen[rows.thread[row].index()] += rows.end[row] - rows.begin[row];
                bool const is_ready = rows.state[row] == ThreadState::ready;
                is_shared = is_shared || (!is_ready && rows.cpu[row].is_none());
                (is_ready ? changes[rows.begin[row].ns].second : changes[rows.begin[row].ns].first) += 1;
                (is_ready ? changes[rows.end[row].ns].second : changes[rows.end[row].ns].first) -= 1;
            }
            for (std::size_t task = 0; task < seen.size(); ++task) {
                auto const& account = run.accounts.threads[task];
                EXPECT_EQ(account.ended - account.created, seen[task]);
                EXPECT_EQ(account[ThreadState::ready] + account[ThreadState::switching] +
                              account[ThreadState::running],
                          seen[task]);
            }
            if (is_shared)
                continue;
            std::int64_t idle = 0, before = 0, running = 0, ready = 0;
            for (auto const& [when, change] : changes) {
                idle += (when - before) * std::min(cpus - running, ready);
                before = when;
                running += change.first;
                ready += change.second;
            }
            EXPECT_EQ(run.accounts.idle.ready.ns, idle);
        }
    }
}

TEST(GraphAccounts, ProcessorTimeThatNoAccountHoldsIsRefused) {
    auto graph = small_loop();
    graph.cpu_ns[0] = 1e19;
    auto const result = execute(graph, 2, ready::Fifo{});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace parcast::model
