// The identity of Adve 1993, section 4.2.2: with static allocation the deterministic model gives the
// condensed graph the time of the original one.

#include "program/condensed_graph.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/deterministic/allocation.h"
#include "model/deterministic/deterministic.h"
#include "support/graph_execution.h"
#include "support/linear_contention.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

TaskGraph condensed_by(TaskGraph const& graph, std::uint32_t processes, ReadyPolicy const& policy) {
    auto const allocation = static_allocation(graph, processes, policy);
    auto const order = order_of_tasks(graph);
    auto result = condensed(graph, {allocation->process, order});
    auto const sound = check(result);
    EXPECT_TRUE(sound) << sound.error().message;
    return result;
}

double time_of(TaskGraph const& graph, std::uint32_t processors, ReadyPolicy const& policy,
               double contention) {
    auto const law = linear_contention(graph, contention);
    ExecutionSetting options;
    options.contention = contention > 0 ? &law : nullptr;
    return execute(graph, processors, policy, options)->time_ns;
}

void expect_same_time(TaskGraph const& graph, std::string const& name) {
    for (std::uint32_t const processors : {1U, 2U, 3U, 5U}) {
        for (ReadyPolicy const& policy : {ReadyPolicy(ready::StaticBlock{ready::Start::in_order}),
                                          ReadyPolicy(ready::StaticCyclic{ready::Start::in_order})}) {
            auto const small = condensed_by(graph, processors, policy);
            for (double const contention : {0.0, 0.2}) {
                auto const original = time_of(graph, processors, policy, contention);
                EXPECT_NEAR(time_of(small, processors, ready::Explicit{ready::Start::in_order}, contention),
                            original, 1e-9 * original)
                    << name << " on " << processors << ", " << name_of(policy) << ", contention "
                    << contention;
            }
        }
    }
}

TEST(CondensedIdentity, HoldsForTheReferenceGraphs) {
    expect_same_time(g1_fork_join(), "fork and join");
    expect_same_time(g3_graham(), "Graham's");
    expect_same_time(g4_wavefront(), "wavefront");
    expect_same_time(g5_not_series_parallel(), "not series-parallel");
    expect_same_time(g8_regions(), "regions");
}

// Two to five predecessors among the ten tasks before.
TaskGraph random_graph(std::uint64_t seed) {
    std::mt19937_64 bits(seed);
    std::vector<double> times;
    std::vector<Edge> edges;
    for (std::size_t task = 0; task < 60; ++task) {
        times.push_back(static_cast<double>(1 + bits() % 100));
        for (std::size_t before = task < 10 ? 0 : task - 10; before < task; ++before)
            if (bits() % 3 == 0)
                edges.push_back({before, task});
    }
    return graph_of(times, edges);
}

TEST(CondensedIdentity, HoldsForRandomGraphs) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed)
        expect_same_time(random_graph(seed), "seed " + std::to_string(seed));
}

// Section 5: 76 tasks of MP3D's 539 for 16 processors, "at most P tasks per parallel phase".
TEST(CondensedIdentity, APhaseHasNoMoreTasksThanProcesses) {
    TaskGraphBuilder builder;
    for (int loop = 0; loop < 5; ++loop) {
        builder.add_group(std::vector<double>(100, 1.0 + loop));
        if (loop > 0)
            builder.precede(TaskGroupId(std::size_t(loop) - 1), TaskGroupId(std::size_t(loop)));
    }
    auto const small = condensed_by(std::move(builder).finish(), 16, ready::StaticBlock{});
    EXPECT_EQ(small.tasks(), 5U * 16);
    EXPECT_EQ(small.groups(), 5U);
}

TEST(CondensedIdentity, ADynamicScheduleHasNoCondensedGraph) {
    EXPECT_FALSE(static_allocation(g1_fork_join(), 2, ready::Fifo{}));
    EXPECT_FALSE(static_allocation(g1_fork_join(), 2, ready::SplitLoops{})) << "without subsets";
    EXPECT_FALSE(static_allocation(g1_fork_join(), 2, ready::Explicit{})) << "without processes";
}

}  // namespace
}  // namespace parcast::model
