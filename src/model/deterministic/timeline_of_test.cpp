#include "model/deterministic/execution_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/deterministic/policies_for.h"
#include "support/graph_execution.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using testing::ElementsAre;
using testing::Not;

Timeline timeline(TaskGraph const& graph, std::uint32_t processors, ReadyPolicy const& policy) {
    return *must_execute(graph, processors, policy, {.keep = Keep::timeline}).run.timeline;
}

// The schedule of the non-series-parallel graph on two processors, from the tables of the model; times in ns.
TEST(TimelineOf, HasARowForEachTaskThatRunsAndForEachThatWaitsForAProcess) {
    auto graph =
        reference::graph_of({10, 30, 20, 40, 25, 15}, reference::edges_that_are_not_series_parallel());
    auto const one = timeline(graph, 1, ready::Fifo{});
    EXPECT_EQ(one.length.ns, 140);
    ASSERT_TRUE(one.intervals);
    EXPECT_THAT(one.intervals->state,
                ElementsAre(ThreadState::running, ThreadState::running, ThreadState::ready,
                            ThreadState::running, ThreadState::ready, ThreadState::running,
                            ThreadState::ready, ThreadState::running, ThreadState::running));
    auto const two = timeline(graph, 2, ready::Fifo{});
    EXPECT_EQ(two.length.ns, 95);
    EXPECT_THAT(two.intervals->cpu, ElementsAre(CpuId(0), CpuId(0), CpuId(1), CpuId(0), CpuId(1), CpuId(0)));
    EXPECT_THAT(two.intervals->begin,
                ElementsAre(Instant{0}, Instant{10}, Instant{10}, Instant{40}, Instant{40}, Instant{80}));
}

TEST(TimelineOf, IsConsistentUnderEveryPolicy) {
    auto graph = reference::g7_two_phases();
    for (auto& time : graph.cpu_ns)
        time *= 1000;
    graph.queue = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    graph.subset = graph.queue;
    for (auto const& policy : policies_for(graph)) {
        for (std::uint32_t const processors : {1U, 2U, 3U, 20U}) {
            auto const checked = check(timeline(graph, processors, policy));
            EXPECT_TRUE(checked.has_value())
                << name_of(policy) << ": " << (checked ? "" : checked.error().message);
        }
    }
}

// It was a gap in the lane of its process, as if that had been idle.
TEST(TimelineOf, AFetchIsOverheadOfTheProcessThatFetches) {
    auto const graph = reference::independent({10, 20, 30});
    auto const execution =
        must_execute(graph, 2, ready::Fifo{}, {.keep = Keep::timeline, .fetch_ns = {2, 3}});
    auto const& fetched = *execution.run.timeline;
    EXPECT_TRUE(check(fetched));
    using enum ThreadState;
    // The second process finds the first one busy. It is done at 23, the first one at 12.
    EXPECT_THAT(fetched.intervals->state,
                ElementsAre(switching, running, switching, running, ready, switching, running));
    EXPECT_THAT(fetched.intervals->begin, ElementsAre(Instant{0}, Instant{2}, Instant{0}, Instant{3},
                                                      Instant{0}, Instant{12}, Instant{15}));
    EXPECT_THAT(fetched.intervals->cpu,
                ElementsAre(CpuId(0), CpuId(0), CpuId(1), CpuId(1), CpuId::none(), CpuId(0), CpuId(0)));
    auto const shared =
        must_execute(graph, 2, ready::ProcessorSharing{}, {.keep = Keep::timeline, .fetch_ns = {2}});
    EXPECT_THAT(shared.run.timeline->intervals->state, Not(testing::Contains(switching)));
}

TEST(TimelineOf, NamesTasksByTheirGroup) {
    TaskGraphBuilder builder;
    double const times[] = {1, 2};
    builder.name(builder.add_task(1), "start");
    builder.name(builder.add_group(times), "loop");
    auto const named = timeline(std::move(builder).finish(), 1, ready::Fifo{});
    EXPECT_EQ(named.catalogue.threads[0].name, "start");
    EXPECT_EQ(named.catalogue.threads[2].name, "loop 2");
    EXPECT_EQ(timeline(reference::independent({1, 1}), 1, ready::Fifo{}).catalogue.threads[1].name, "task 1");
}

}  // namespace
}  // namespace parcast::model
