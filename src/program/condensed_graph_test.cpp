#include "program/condensed_graph.h"

#include "program/task_graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace parcast {
namespace {

using testing::ElementsAre;

TEST(CondensedGraph, ALoopIsATaskAProcess) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::array{9.0, 8.0, 7.0, 1.0, 1.0, 1.0, 2.0, 2.0});
    auto const join = builder.add_task(3);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    builder.estimate(loop, std::array{1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0});
    auto const original = std::move(builder).finish();
    auto const graph = condensed(original, 3);
    EXPECT_TRUE(check(graph));
    EXPECT_THAT(graph.cpu_ns, ElementsAre(1, 24, 3, 4, 3)) << "blocks of 3, 3 and 2 tasks";
    EXPECT_THAT(graph.estimate_ns, ElementsAre(1, 3, 6, 6, 3));
    EXPECT_THAT(graph.process, ElementsAre(0, 0, 1, 2, 0));
    EXPECT_EQ(graph.successors, original.successors);
    EXPECT_EQ(work_ns(graph), work_ns(original));
}

TEST(CondensedGraph, OfOneProcessIsOneTaskAGroup) {
    TaskGraphBuilder builder;
    builder.add_group(std::array{1.0, 2.0, 3.0});
    EXPECT_THAT(condensed(std::move(builder).finish(), 1).cpu_ns, ElementsAre(6));
}

}  // namespace
}  // namespace parcast
