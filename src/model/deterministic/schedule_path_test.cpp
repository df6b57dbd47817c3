#include "model/deterministic/execution_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/deterministic/policies_for.h"
#include "support/graph_execution.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using testing::ElementsAre;

std::vector<PathSegment> path_of(TaskGraph const& graph, std::uint32_t processors, ReadyPolicy const& policy,
                                 ExecutionSetting options = {}) {
    options.keep = Keep::schedule;
    auto const execution = execute(graph, processors, policy, options);
    EXPECT_TRUE(execution.has_value());
    std::vector<ScheduledTask> by_task(graph.tasks());
    for (auto const& task : execution->schedule)
        by_task[task.task.index()] = task;
    return schedule_path(graph, execution->schedule, by_task);
}

PathSegment segment(std::size_t task, std::int64_t begin_ns, std::int64_t end_ns) {
    return {ThreadId(task), {begin_ns}, {end_ns}};
}

TEST(SchedulePath, FollowsPrecedencesAndProcesses) {
    // 0 (10) before 1 (30) and 2 (20); on one process 2 waits for 1, which it does not depend on.
    auto const fork = reference::graph_of({10, 30, 20}, {{0, 1}, {0, 2}});
    EXPECT_THAT(path_of(fork, 2, ready::Fifo{}), ElementsAre(segment(0, 0, 10), segment(1, 10, 40)));
    EXPECT_THAT(path_of(fork, 1, ready::Fifo{}),
                ElementsAre(segment(0, 0, 10), segment(1, 10, 40), segment(2, 40, 60)));
}

TEST(SchedulePath, WhatAFetchTakesCountsForTheTaskThatIsFetched) {
    auto const chain = reference::graph_of({10, 30}, {{0, 1}});
    EXPECT_THAT(path_of(chain, 1, ready::Fifo{}, {.fetch_ns = {5}}),
                ElementsAre(segment(0, 0, 15), segment(1, 15, 50)));
}

TEST(SchedulePath, BeginsAtZeroEndsWithTheScheduleAndHasNoGapUnderEveryPolicy) {
    auto graph = reference::g7_two_phases();
    for (auto& time : graph.cpu_ns)
        time *= 1000;
    graph.queue = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    graph.subset = graph.queue;
    for (auto const& policy : policies_for(graph)) {
        for (std::uint32_t const processors : {1U, 2U, 3U, 20U}) {
            auto const path = path_of(graph, processors, policy);
            auto const execution = execute(graph, processors, policy);
            ASSERT_FALSE(path.empty());
            EXPECT_EQ(path.front().begin, Instant{}) << name_of(policy);
            EXPECT_NEAR(static_cast<double>(path.back().end.ns), execution->time_ns, 1) << name_of(policy);
            for (std::size_t i = 1; i < path.size(); ++i)
                EXPECT_EQ(path[i].begin, path[i - 1].end) << name_of(policy);
        }
    }
}

TEST(SchedulePath, OfTasksWithoutTimeIsEmpty) {
    EXPECT_TRUE(path_of(reference::graph_of({0, 0}, {{0, 1}}), 1, ready::Fifo{}).empty());
}

}  // namespace
}  // namespace parcast::model
