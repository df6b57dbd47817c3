#include "program/task_graph.h"

#include "program/task_graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A fork into a loop of three tasks, a join: 0 -> {1, 2, 3} -> 4.
TaskGraph fork_and_join() {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::array{5.0, 7.0, 2.0});
    auto const join = builder.add_task(3);
    builder.precede(loop, join);
    builder.precede(fork, loop);
    return std::move(builder).finish();
}

// a -> b -> c -> d, and d -> b.
TaskGraph with_a_cycle() {
    TaskGraphBuilder builder;
    for (char const* name : {"a", "b", "c", "d"})
        builder.name(builder.add_task(1), name);
    for (std::size_t task = 1; task < 4; ++task)
        builder.precede(TaskGroupId(task - 1), TaskGroupId(task));
    builder.precede(TaskGroupId(3), TaskGroupId(1));
    return std::move(builder).finish();
}

std::string complaint_about(TaskGraph const& graph) {
    auto const checked = check(graph);
    return checked ? "" : checked.error().message;
}

TEST(TaskGraph, AGroupIsOneEdgeForAllItsTasks) {
    auto const graph = fork_and_join();
    EXPECT_EQ(complaint_about(graph), "");
    EXPECT_EQ(graph.tasks(), 5U);
    EXPECT_EQ(graph.groups(), 3U);
    EXPECT_THAT(graph.successors, ElementsAre(TaskGroupId(1), TaskGroupId(2)));
    EXPECT_THAT(graph.times_of(TaskGroupId(1)), ElementsAre(5, 7, 2));
    EXPECT_THAT(predecessor_groups(graph), ElementsAre(0, 1, 1));
    EXPECT_THAT(group_of_each_task(graph),
                ElementsAre(TaskGroupId(0), TaskGroupId(1), TaskGroupId(1), TaskGroupId(1), TaskGroupId(2)));
}

TEST(TaskGraph, WorkIsTheSumAndSpanTheLongestPath) {
    auto const graph = fork_and_join();
    EXPECT_EQ(work_ns(graph), 18);
    EXPECT_EQ(span_ns(graph), 1 + 7 + 3);
    EXPECT_THAT(bottom_levels_ns(graph), ElementsAre(11, 10, 3));
}

TEST(TaskGraph, APrecedenceSaidTwiceIsSaidOnce) {
    TaskGraphBuilder builder;
    auto const first = builder.add_task(1);
    auto const second = builder.add_task(1);
    builder.precede(first, second);
    builder.precede(first, second);
    EXPECT_THAT(std::move(builder).finish().successors, ElementsAre(second));
}

TEST(TaskGraph, SuccessorsAscendInWhateverOrderTheyCame) {
    TaskGraphBuilder builder;
    for (int task = 0; task < 4; ++task)
        builder.add_task(1);
    for (auto const& [before, after] : {std::pair{2, 3}, {0, 3}, {0, 1}, {0, 2}})
        builder.precede(TaskGroupId(static_cast<std::size_t>(before)),
                        TaskGroupId(static_cast<std::size_t>(after)));
    auto const graph = std::move(builder).finish();
    EXPECT_THAT(graph.successors_of(TaskGroupId(0)),
                ElementsAre(TaskGroupId(1), TaskGroupId(2), TaskGroupId(3)));
    EXPECT_THAT(graph.successors_of(TaskGroupId(2)), ElementsAre(TaskGroupId(3)));
}

TEST(TaskGraph, AColumnGivenForSomeGroupsIsWhole) {
    TaskGraphBuilder builder;
    builder.add_task(1);
    auto const loop = builder.add_group(std::array{5.0, 7.0});
    builder.estimate(loop, std::array{4.0, 8.0});
    builder.pin(loop, std::array{1U, 0U});
    builder.enqueue(loop, 3);
    builder.give_to_subset(loop, 2);
    builder.use(loop, "bus.rate", 0.5);
    builder.add_task(2);
    auto const graph = std::move(builder).finish();
    EXPECT_EQ(complaint_about(graph), "");
    EXPECT_THAT(graph.estimate_ns, ElementsAre(1, 4, 8, 2));
    EXPECT_THAT(graph.process, ElementsAre(any_process, 1, 0, any_process));
    EXPECT_THAT(graph.queue, ElementsAre(0, 3, 0));
    EXPECT_THAT(graph.subset, ElementsAre(0, 2, 0));
    EXPECT_THAT(graph.resources, ElementsAre(ResourceUse{"bus.rate", {0, 0.5, 0}}));
}

TEST(TaskGraph, TheMessageNamesTheCycle) {
    EXPECT_EQ(complaint_about(with_a_cycle()), "task graph: task b waits for itself: b -> c -> d -> b");
}

TEST(TaskGraph, ALongCycleIsNamedWithoutItsMiddle) {
    TaskGraphBuilder builder;
    for (int task = 0; task < 1000; ++task)
        builder.add_task(1);
    for (std::size_t task = 0; task < 1000; ++task)
        builder.precede(TaskGroupId(task), TaskGroupId((task + 1) % 1000));
    EXPECT_EQ(complaint_about(std::move(builder).finish()),
              "task graph: task 0 waits for itself: 0 -> 1 -> 2 -> 3 -> 4 -> (991 more) -> "
              "996 -> 997 -> 998 -> 999 -> 0");
}

TEST(TaskGraph, ATopologicalOrderPutsEveryGroupAfterThoseThatItWaitsFor) {
    TaskGraphBuilder builder;
    for (int task = 0; task < 4; ++task)
        builder.add_task(1);
    builder.precede(TaskGroupId(3), TaskGroupId(0));
    builder.precede(TaskGroupId(0), TaskGroupId(2));
    builder.precede(TaskGroupId(1), TaskGroupId(2));
    EXPECT_THAT(topological_order(std::move(builder).finish()),
                ElementsAre(TaskGroupId(1), TaskGroupId(3), TaskGroupId(0), TaskGroupId(2)));
}

struct Mistake {
    void (*make)(TaskGraph&);
    char const* message;
};

class BrokenTaskGraph : public testing::TestWithParam<Mistake> {};

TEST_P(BrokenTaskGraph, IsRefusedWithItsPlace) {
    auto graph = fork_and_join();
    graph.group_names = {"start", "loop", "end"};
    GetParam().make(graph);
    EXPECT_THAT(complaint_about(graph), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    EachInvariant, BrokenTaskGraph,
    testing::Values(
        Mistake{[](TaskGraph& graph) { graph = TaskGraph(); }, "it has no task"},
        Mistake{[](TaskGraph& graph) { graph.cpu_ns[2] = -1; },
                "the CPU time of group loop (tasks 1 to 3) is negative or not a number"},
        Mistake{[](TaskGraph& graph) { graph.cpu_ns[4] = std::nan(""); }, "the CPU time of task end"},
        Mistake{[](TaskGraph& graph) { graph.estimate_ns = {1, 1, 1, 1, HUGE_VAL}; },
                "the estimate of task end"},
        Mistake{[](TaskGraph& graph) { graph.first_task[2] = 1; }, "a group has no task"},
        Mistake{[](TaskGraph& graph) { graph.first_task.back() = 7; }, "its groups are not the tasks"},
        Mistake{[](TaskGraph& graph) { graph.first_successor.pop_back(); },
                "its successors are not by group"},
        Mistake{[](TaskGraph& graph) { graph.first_successor[1] = 9; }, "not in the order of the groups"},
        Mistake{[](TaskGraph& graph) { graph.successors[0] = TaskGroupId(3); },
                "a successor of task start does not exist"},
        Mistake{[](TaskGraph& graph) { graph.successors[0] = TaskGroupId(0); },
                "task start waits for itself"},
        Mistake{[](TaskGraph& graph) {
                    graph.successors = {TaskGroupId(2), TaskGroupId(2)};
                    graph.first_successor = {0, 2, 2, 2};
                },
                "task end is twice a successor of start"},
        Mistake{[](TaskGraph& graph) { graph.process = {1, 2}; }, "a column is not by task"},
        Mistake{[](TaskGraph& graph) { graph.process = {any_process, 0, any_process, 1, 0}; },
                "some tasks of group loop (tasks 1 to 3) are pinned to processes, others are not"},
        Mistake{[](TaskGraph& graph) { graph.queue = {1, 2}; }, "a column is not by group"},
        Mistake{[](TaskGraph& graph) { graph.subset = {1, 2}; }, "a column is not by group"},
        Mistake{[](TaskGraph& graph) { graph.resources = {{"bus.rate", {1}}}; },
                "the resource parameter bus.rate is not by group"},
        Mistake{[](TaskGraph& graph) { graph.resources = {{"bus.rate", {1, -1, 0}}}; },
                "bus.rate of group loop (tasks 1 to 3) is negative or not a number"}));

}  // namespace
}  // namespace parcast
