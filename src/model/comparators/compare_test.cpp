#include "model/comparators/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/comparators/kruskal_weiss.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

// M1 of the stochastic tables on two processors; the deterministic model says 8.
TEST(Compare, PutsAllTheoriesSideBySide) {
    std::uint32_t const processors[] = {1, 2};
    auto const by_processors = compare(fork_join({1, 2, 3, 4, 1}), processors);
    ASSERT_EQ(by_processors.size(), 2U);
    EXPECT_NEAR(by_processors[0][4].time->mean_ns, 11, 1e-12);
    EXPECT_EQ(by_processors[0][2].time->mean_ns, by_processors[1][2].time->mean_ns) << "sees no processors";
    auto const& comparisons = by_processors[1];
    ASSERT_EQ(comparisons.size(), 5U);
    for (auto const& comparison : comparisons)
        ASSERT_TRUE(comparison.time) << comparison.key;
    EXPECT_NEAR(comparisons[2].time->mean_ns, 10477.0 / 1365, 1e-10);
    EXPECT_NEAR(comparisons[4].time->mean_ns, 173.0 / 21, 1e-12);
    EXPECT_NEAR(*comparisons[4].time->deviation_ns, 0.5306283 * 173 / 21, 1e-6);
    EXPECT_FALSE(comparisons[0].time->deviation_ns);
}

// The batch of the schedule was ignored: the same number stood beside fifo, batch:8 and block.
TEST(Compare, KruskalWeissTakesTheBatchOfTheSchedule) {
    auto const graph =
        fork_join(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1});
    std::uint32_t const processors[] = {4};
    auto const time_by = [&](ReadyPolicy const& policy, std::vector<double> fetch_ns) {
        auto const time = compare(graph, processors, {{policy, Retire::one, std::move(fetch_ns)}, nullptr})
                              .front()
                              .front()
                              .time;
        return time ? std::optional(time->mean_ns) : std::nullopt;
    };
    std::vector<double> const fetch = {0, 0, 0, 0.5, 9};
    auto const expected = [&](Batches const& batches) {
        return *kruskal_weiss(graph, 4, Deviation::actual, batches);
    };
    using enum Batches::Kind;
    EXPECT_EQ(time_by(ready::Fifo{}, fetch), expected({fixed, 1, 0.5})) << "three others are busy";
    EXPECT_EQ(time_by(ready::Batch{ready::Batch::Kind::fixed, 3}, fetch), expected({fixed, 3, 0.5}));
    EXPECT_EQ(time_by(ready::StaticBlock{}, fetch), expected({even_share, 1, 0})) << "nothing is fetched";
    EXPECT_FALSE(time_by(ready::Batch{ready::Batch::Kind::guided, 1}, fetch));
    EXPECT_LT(expected({fixed, 1, 0}), expected({fixed, 3, 0}));
}

// Each number of processors took seconds to find the same: 10 s for a graph of 217 tasks.
TEST(Compare, AMarkovChainWithTooManyStatesIsNotExploredAgainOnMoreProcessors) {
    // A wavefront, of which no formula says how many states it has.
    std::vector<Edge> edges;
    for (std::size_t task = 0; task < 144; ++task) {
        if (task >= 12)
            edges.push_back({task - 12, task});
        if (task % 12 > 0)
            edges.push_back({task - 1, task});
    }
    auto const graph = graph_of(std::vector<double>(144, 1), edges);
    std::uint32_t const processors[] = {1, 8, 16};
    auto const by_processors = compare(graph, processors);
    EXPECT_TRUE(by_processors[0].back().time);
    EXPECT_THAT(by_processors[1].back().time.error().message,
                testing::StartsWith("the Markov chain would have "));
    EXPECT_THAT(by_processors[2].back().time.error().message,
                testing::StartsWith("not tried, since on 8 CPUs the Markov chain would have "));
}

TEST(Compare, ATheoryThatDoesNotApplySaysWhy) {
    std::uint32_t const processors[] = {2};
    auto const comparisons = compare(g5_not_series_parallel(), processors).front();
    for (auto const& comparison : comparisons)
        EXPECT_EQ(comparison.time.has_value(), comparison.key == "markov_chain") << comparison.key;
    EXPECT_THAT(comparisons[0].time.error().message, testing::HasSubstr("phases"));
    EXPECT_THAT(comparisons[2].time.error().message, testing::HasSubstr("series-parallel"));
}

}  // namespace
}  // namespace parcast::model
