#include "model/comparators/markov_chain.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/comparators/kruskal_weiss.h"
#include "model/comparators/mak_lundstrom.h"
#include "model/deterministic/deterministic.h"
#include "support/graph_execution.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

TaskGraph m1() {
    return fork_join({1, 2, 3, 4, 1});
}

TaskGraph m4() {
    return graph_of({1, 2, 1, 3, 2, 1}, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {2, 5}, {4, 5}});
}

TaskGraph m5() {
    return graph_of({1, 1, 1, 1, 1, 1}, {{0, 2}, {0, 3}, {1, 3}, {1, 4}, {2, 5}, {3, 5}, {4, 5}});
}

TaskGraph eight_alike() {
    return independent(std::vector<double>(8, 1.0));
}

struct Row {
    char const* name;
    TaskGraph graph;
    std::uint32_t processors;
    double mean, variance, deviation_by_mean;
    std::size_t states;
    double deterministic;  // with the means as constant times
};

// Exact fractions, solved by enumeration in rational arithmetic; 60,000 simulated runs agree.
TEST(MarkovChain, IsExactForExponentialTimes) {
    for (Row const& row : {Row{"M1", m1(), 1, 11, 31, 0.5061604, 5, 11},
                           Row{"M1", m1(), 2, 173.0 / 21, 19.1088435, 0.5306283, 8, 8},
                           Row{"M1", m1(), 8, 10477.0 / 1365, 17.1802133, 0.5400202, 9, 6},
                           Row{"M2", g5_not_series_parallel(), 1, 14, 38.5, 0.4432026, 6, 14},
                           Row{"M2", g5_not_series_parallel(), 3, 164.0 / 15, 26.1116239, 0.4673738, 9, 9.5},
                           Row{"M2", g5_not_series_parallel(), 8, 164.0 / 15, 26.1116239, 0.4673738, 9, 9.5},
                           Row{"M3", eight_alike(), 2, 9.0 / 2, 2.75, 0.3685139, 36, 4},
                           Row{"M3", eight_alike(), 3, 7.0 / 2, 1.91666667, 0.3955535, 92, 3},
                           Row{"M4", m4(), 1, 10, 20, 0.4472136, 6, 10},
                           Row{"M4", m4(), 2, 463.0 / 60, 13.6369444, 0.4785516, 10, 7},
                           Row{"M4", m4(), 8, 463.0 / 60, 13.6369444, 0.4785516, 10, 7},
                           Row{"M5", m5(), 1, 6, 6, 0.4082483, 6, 6},
                           Row{"M5", m5(), 3, 25.0 / 6, 3.41666667, 0.4436215, 13, 3},
                           Row{"M5", m5(), 8, 25.0 / 6, 3.41666667, 0.4436215, 13, 3}}) {
        auto const solved = markov_chain(row.graph, row.processors);
        ASSERT_TRUE(solved) << row.name;
        EXPECT_NEAR(solved->time.mean, row.mean, 1e-13 * row.mean) << row.name << " on " << row.processors;
        EXPECT_NEAR(solved->time.variance, row.variance, 1e-7) << row.name << " on " << row.processors;
        EXPECT_NEAR(std::sqrt(solved->time.variance) / solved->time.mean, row.deviation_by_mean, 1e-7)
            << row.name;
        EXPECT_EQ(solved->states, row.states) << row.name << " on " << row.processors;
        auto const constant = execute(row.graph, row.processors, ready::Fifo{});
        ASSERT_TRUE(constant);
        EXPECT_EQ(constant->time_ns, row.deterministic) << row.name << " on " << row.processors;
        EXPECT_GE(solved->time.mean, constant->time_ns) << "random times wait for each other";
    }
}

TEST(MarkovChain, RefusesTooManyStatesWithTheirNumber) {
    auto const refused = markov_chain(independent(std::vector<double>(100, 1.0)), 10);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(refused.error().message,
              "the Markov chain would have 1.94e+13 states, and 500,000 are the most that are solved");
}

// All tasks alike, one by one: H_n for n <= P, (n - P) / P + H_P beyond.
TEST(MarkovChain, OfEqualTasksIsAHarmonicNumber) {
    struct Expected {
        std::size_t tasks;
        double mean;
    };
    for (Expected const& row :
         {Expected{1, 1}, Expected{2, 1.5}, Expected{4, 2.0833333}, Expected{8, 2.7178571},
          Expected{9, 2.8428571}, Expected{12, 3.2178571}, Expected{16, 3.7178571}}) {
        auto const solved = markov_chain(independent(std::vector<double>(row.tasks, 1.0)), 8);
        ASSERT_TRUE(solved);
        EXPECT_NEAR(solved->time.mean, row.mean, 1e-7);
    }
}

TEST(MarkovChain, AGroupIsAsManyTasks) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::vector<double>{2, 3, 4});
    auto const join = builder.add_task(1);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    auto const solved = markov_chain(std::move(builder).finish(), 2);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->time.mean, 173.0 / 21, 1e-12);
}

TEST(MarkovChain, TasksOfNoTimeEndAtOnce) {
    auto const solved = markov_chain(fork_join({0, 2, 3, 4, 0}), 2);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->time.mean, 173.0 / 21 - 2, 1e-12) << "M1 without its fork and join";
    auto const nothing = markov_chain(independent({0, 0}), 1);
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->time.mean, 0);
}

// Series: means add. Parallel: inclusion and exclusion of exponential times.
TEST(MakLundstrom, ReducesWhatIsSeriesParallel) {
    auto const original = mak_lundstrom(m1(), Composite::exponential);
    ASSERT_TRUE(original);
    EXPECT_NEAR(original->mean, 10477.0 / 1365, 1e-10) << "the processors are not seen";
    auto const alike = mak_lundstrom(eight_alike(), Composite::exponential);
    ASSERT_TRUE(alike);
    EXPECT_NEAR(alike->mean, 761.0 / 280, 1e-10);
}

TEST(MakLundstrom, TheCondensedGraphIsPessimistic) {
    // M1 on two processors: tasks 2 and 4 one after another, beside task 3.
    auto const condensed = graph_of({1, 2, 3, 4, 1}, {{0, 1}, {0, 2}, {1, 3}, {3, 4}, {2, 4}});
    EXPECT_NEAR(mak_lundstrom(condensed, Composite::exponential)->mean, 9, 1e-10);
    // M3: two chains of four.
    auto const chains =
        graph_of(std::vector<double>(8, 1.0), {{0, 2}, {2, 4}, {4, 6}, {1, 3}, {3, 5}, {5, 7}});
    EXPECT_NEAR(mak_lundstrom(chains, Composite::exponential)->mean, 6, 1e-10) << "4 H_2";
    EXPECT_NEAR(mak_lundstrom(chains, Composite::gamma)->mean, 163.0 / 32, 1e-10)
        << "the sum of four is gamma distributed: exact";
}

TEST(MakLundstrom, CompositeTimesAreReadInTwoWays) {
    EXPECT_NEAR(mak_lundstrom(m4(), Composite::exponential)->mean, 8.125, 1e-10);
    EXPECT_NEAR(mak_lundstrom(m4(), Composite::gamma)->mean, 7.723875498, 1e-9);
}

TEST(MakLundstrom, RefusesOtherGraphsWithTheReason) {
    auto const refused = mak_lundstrom(g5_not_series_parallel(), Composite::exponential);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_EQ(refused.error().message,
              "not a series-parallel graph: task 1 and task 2 both go before task 4, but not before the same "
              "tasks");
    EXPECT_FALSE(mak_lundstrom(g4_wavefront(), Composite::exponential));
}

TEST(MakLundstrom, AnEdgeBesideALongerWayChangesNothing) {
    auto graph = graph_of({1, 2, 3, 4, 1}, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {0, 4}});
    auto const reduced = mak_lundstrom(graph, Composite::exponential);
    ASSERT_TRUE(reduced) << reduced.error().message;
    EXPECT_NEAR(reduced->mean, 10477.0 / 1365, 1e-10);
}

// Where the graph is series-parallel, times are exponential and processors enough, both are the same.
TEST(MakLundstrom, IsTheMarkovChainOnEnoughProcessorsWithoutComposites) {
    auto const graph = fork_join({3, 1, 4, 1, 5, 9, 2});
    EXPECT_NEAR(mak_lundstrom(graph, Composite::gamma)->mean, markov_chain(graph, 8)->time.mean, 1e-9);
    EXPECT_NEAR(mak_lundstrom(graph, Composite::gamma)->variance, markov_chain(graph, 8)->time.variance,
                1e-8);
}

TEST(Maximum, OfConstantTimesIsTheLongest) {
    EXPECT_EQ(maximum({{3, 0}, {5, 0}, {5, 0}}).mean, 5);
    EXPECT_EQ(maximum({{0, 0}, {0, 0}}).mean, 0);
    // E[max(2, X)], X exponential with mean 1: 2 + e^-2.
    EXPECT_NEAR(maximum({{2, 0}, exponential(1)}).mean, 2 + std::exp(-2), 1e-11);
}

TEST(Maximum, OfTenThousandIsAHarmonicNumber) {
    double harmonic = 0;
    for (double i = 1; i <= 10'000; ++i)
        harmonic += 1 / i;
    EXPECT_NEAR(maximum(std::vector<Time>(10'000, exponential(2))).mean, 2 * harmonic, 1e-8);
}

TEST(Maximum, AShortTimeBesideALongOneHardlyMatters) {
    double const both = maximum({exponential(1e9), exponential(1)}).mean;
    EXPECT_NEAR(both, 1e9 + 1 - 1 / (1e-9 + 1), 1e-3);
}

}  // namespace
}  // namespace parcast::model
