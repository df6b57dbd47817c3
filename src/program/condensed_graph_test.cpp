#include "program/condensed_graph.h"

#include "program/task_graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace parcast {
namespace {

using testing::ElementsAre;

// On these processes, each of which runs its tasks as they are numbered.
TaskGraph condensed_on(TaskGraph const& graph, std::vector<std::uint32_t> const& process) {
    std::vector<std::uint32_t> order(graph.tasks());
    std::iota(order.begin(), order.end(), 0U);
    auto result = condensed(graph, {process, order});
    auto const sound = check(result);
    EXPECT_TRUE(sound) << sound.error().message;
    EXPECT_DOUBLE_EQ(work_ns(result), work_ns(graph));
    return result;
}

TEST(CondensedGraph, ALoopIsATaskAProcess) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::array{9.0, 8.0, 7.0, 1.0, 1.0, 1.0, 2.0, 2.0});
    auto const join = builder.add_task(3);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    builder.estimate(loop, std::array{1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0});
    auto const original = std::move(builder).finish();
    auto const graph = condensed_on(original, {0, 0, 0, 0, 1, 1, 1, 2, 2, 0});
    EXPECT_THAT(graph.cpu_ns, ElementsAre(1, 24, 3, 4, 3));
    EXPECT_THAT(graph.estimate_ns, ElementsAre(1, 3, 6, 6, 3));
    EXPECT_THAT(graph.process, ElementsAre(0, 0, 1, 2, 0));
    EXPECT_EQ(graph.successors, original.successors) << "three groups again";
}

TEST(CondensedGraph, OfOneProcessIsOneTask) {
    TaskGraphBuilder builder;
    auto const first = builder.add_group(std::array{1.0, 2.0, 3.0});
    auto const second = builder.add_task(4);
    builder.precede(first, second);
    EXPECT_THAT(condensed_on(std::move(builder).finish(), {0, 0, 0, 0}).cpu_ns, ElementsAre(10));
}

// Loops that are ready together and awaited together: one task a process, whatever it does of which loop.
TEST(CondensedGraph, LoopsOfAPhaseAreOneTaskAProcess) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::array{2.0, 3.0});
    auto const other = builder.add_group(std::array{4.0, 5.0});
    auto const join = builder.add_task(1);
    for (auto const one : {loop, other}) {
        builder.precede(fork, one);
        builder.precede(one, join);
    }
    auto const graph = condensed_on(std::move(builder).finish(), {0, 0, 1, 0, 1, 0});
    EXPECT_THAT(graph.cpu_ns, ElementsAre(1, 2 + 4, 3 + 5, 1));
}

// Task 1 would start 5 later if what process 0 does were one task.
TEST(CondensedGraph, WhatAnotherProcessWaitsForEndsATask) {
    TaskGraphBuilder builder;
    auto const first = builder.add_task(1);
    auto const other = builder.add_task(2);
    auto const second = builder.add_task(5);
    builder.precede(first, other);
    builder.precede(first, second);
    auto const graph = condensed_on(std::move(builder).finish(), {0, 1, 0});
    EXPECT_EQ(graph.tasks(), 3U);
    EXPECT_EQ(span_ns(graph), 6);
}

TEST(CondensedGraph, TheOrderOfAProcessIsAPrecedence) {
    TaskGraphBuilder builder;
    auto const a = builder.add_task(1);
    builder.add_task(4);  // of process 0, and nothing waits for it
    auto const b = builder.add_task(2);
    builder.precede(a, b);
    auto const graph = condensed_on(std::move(builder).finish(), {1, 0, 0});
    EXPECT_THAT(graph.cpu_ns, ElementsAre(1, 4, 2)) << "before 2 process 0 waits for process 1";
    EXPECT_EQ(span_ns(graph), 6);
}

TEST(CondensedGraph, ATaskOfAnyProcessStaysATask) {
    TaskGraphBuilder builder;
    auto const before = builder.add_group(std::array{2.0, 3.0});
    auto const barrier = builder.add_task(0);
    auto const after = builder.add_group(std::array{4.0, 5.0});
    builder.precede(before, barrier);
    builder.precede(barrier, after);
    auto const graph = condensed_on(std::move(builder).finish(), {0, 1, any_process, 0, 1});
    EXPECT_THAT(graph.process, ElementsAre(0, 1, any_process, 0, 1));
    EXPECT_THAT(graph.cpu_ns, ElementsAre(2, 3, 0, 4, 5));
}

TEST(CondensedGraph, RatesAreMeansByTimeAndOtherParametersByVisits) {
    TaskGraphBuilder builder;
    auto const first = builder.add_task(1);
    auto const second = builder.add_task(3);
    builder.precede(first, second);
    builder.use(first, "lock.rate", 0.5);
    builder.use(first, "lock.hold_ns", 10);
    builder.use(second, "lock.rate", 0.1);
    builder.use(second, "lock.hold_ns", 2);
    auto const graph = condensed_on(std::move(builder).finish(), {0, 0});
    EXPECT_DOUBLE_EQ(graph.resources[0].value[0], (0.5 * 1 + 0.1 * 3) / 4);
    EXPECT_DOUBLE_EQ(graph.resources[1].value[0], (10 * 0.5 + 2 * 0.3) / 0.8);
}

}  // namespace
}  // namespace parcast
