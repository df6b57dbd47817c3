#include "model/queueing/station_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/memory_toml.h"
#include "model/comparators/mak_lundstrom.h"
#include "model/comparators/markov_chain.h"
#include "model/deterministic/deterministic.h"
#include "model/queueing/finite_source.h"
#include "model/queueing/shared_bus.h"
#include "support/graph_execution.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;
using testing::HasSubstr;

TaskGraph with_parameter(TaskGraph graph, std::string name, std::vector<double> values) {
    graph.resources.push_back({std::move(name), std::move(values)});
    return graph;
}

TaskGraph with_parameter(TaskGraph graph, std::string name, double value) {
    std::vector<double> const everywhere(graph.groups(), value);
    return with_parameter(std::move(graph), std::move(name), everywhere);
}

std::vector<double> delays(ContentionLaw const& law, std::vector<RunningClass> const& running) {
    std::vector<double> found(running.size(), -1);
    auto const solved = law.solve(running, found);
    EXPECT_TRUE(solved);
    return found;
}

SharedResources one_queue(double service_ns, UncontendedTime uncontended) {
    SharedResources resources;
    resources.stations = {{"queue", service_ns, 1, true, uncontended}};
    return resources;
}

SharedResources channel(double bandwidth, UncontendedTime uncontended) {
    SharedResources resources;
    resources.memory = Memory{bandwidth, 1, 64, 0, uncontended};
    return resources;
}

// Z = 10, one queue with S = 2: R = 2, 2.333333333, 2.756756757 for one, two, three customers.
TEST(StationLaw, DelaysByVisitsTimesResponse) {
    auto const graph = with_parameter(independent({1, 1}), "queue.rate", 0.1);
    auto const law = station_law(graph, one_queue(2, UncontendedTime::added));
    ASSERT_TRUE(law);
    EXPECT_NEAR(delays(*law, {{0, 1}})[0], 0.2, 1e-12);
    EXPECT_NEAR(delays(*law, {{0, 2}})[0], 0.2333333333, 1e-9);
    EXPECT_NEAR(delays(*law, {{0, 3}})[0], 0.2756756757, 1e-9);
    EXPECT_NEAR(delays(*law, {{0, 4}})[0], 0.3296610169, 1e-9);
}

// The same law in a Markov chain, with rates of s(n) = 1 / (1 + lambda R(n)), and in the deterministic model.
TEST(StationLaw, SlowsTheStatesOfAMarkovChainAndTheDeterministicModel) {
    struct Row {
        TaskGraph graph;
        std::uint32_t processors;
        double mean;
        double deterministic;
    };
    auto const m1 = fork_join({1, 2, 3, 4, 1});
    auto const m2 = g5_not_series_parallel();
    for (Row const& row :
         {Row{m1, 1, 13.2, 13.2}, Row{m1, 2, 9.977777778, 9.7}, Row{m1, 3, 9.32968353, 7.384684685},
          Row{m2, 1, 16.8, 16.8}, Row{m2, 2, 13.22222222, 11.55}, Row{m2, 3, 13.22222222, 11.55}}) {
        auto const graph = with_parameter(row.graph, "queue.rate", 0.1);
        auto const law = station_law(graph, one_queue(2, UncontendedTime::added));
        ASSERT_TRUE(law);
        auto const solved = markov_chain(graph, row.processors, &*law);
        ASSERT_TRUE(solved);
        EXPECT_NEAR(solved->time.mean, row.mean, 1e-8) << row.processors;
        ExecutionSetting options;
        options.contention = &*law;
        auto const constant = execute(graph, row.processors, ready::Fifo{}, options);
        ASSERT_TRUE(constant);
        EXPECT_NEAR(constant->time_ns, row.deterministic, 1e-9) << row.processors;
    }
}

TEST(StationLaw, ATaskAloneHasOnlyTheDelayThatItsCpuTimeDoesNotContain) {
    auto const graph = with_parameter(independent({1}), "memory.rate", 0.01);
    auto const measured = station_law(graph, channel(4, UncontendedTime::in_cpu_time));
    auto const computed = station_law(graph, channel(4, UncontendedTime::added));
    ASSERT_TRUE(measured && computed);
    EXPECT_EQ(delays(*measured, {{0, 1}})[0], 0) << "16 ns a line, 0.01 lines a ns, in the CPU time";
    EXPECT_NEAR(delays(*computed, {{0, 1}})[0], 0.16, 1e-12) << "on top of it";
}

// Beyond saturation n tasks share the bandwidth: each takes n * rate * transfer of time for a ns of CPU time.
TEST(StationLaw, ManyTasksShareTheBandwidth) {
    auto const graph = with_parameter(independent({1}), "memory.rate", 0.01);
    for (auto const uncontended : {UncontendedTime::in_cpu_time, UncontendedTime::added}) {
        auto const law = station_law(graph, channel(4, uncontended));
        ASSERT_TRUE(law);
        EXPECT_NEAR(1 + delays(*law, {{0, 1000}})[0], 1000 * 0.01 * 16, 1e-6);
    }
}

TEST(StationLaw, ChannelsServeSideBySide) {
    auto const graph = with_parameter(independent({1}), "memory.rate", 0.01);
    auto resources = channel(4, UncontendedTime::in_cpu_time);
    resources.memory->channels = 2;
    auto const law = station_law(graph, resources);
    ASSERT_TRUE(law);
    EXPECT_EQ(delays(*law, {{0, 2}})[0], 0) << "two tasks never wait for two channels";
    EXPECT_NEAR(1 + delays(*law, {{0, 1000}})[0], 1000 * 0.01 * 16, 1e-6) << "the same bandwidth";
}

TEST(StationLaw, TasksThatDoNotUseItNeitherWaitNorDelay) {
    auto const graph = with_parameter(independent({1, 1}), "memory.rate", {0.05, 0});
    auto const law = station_law(graph, channel(4, UncontendedTime::in_cpu_time));
    ASSERT_TRUE(law);
    auto const beside = delays(*law, {{0, 2}, {1, 30}});
    EXPECT_EQ(beside[1], 0);
    EXPECT_DOUBLE_EQ(beside[0], delays(*law, {{0, 2}})[0]);
}

TEST(StationLaw, WhoUsesItMoreIsDelayedMore) {
    auto const graph = with_parameter(independent({1, 1}), "memory.rate", {0.05, 0.005});
    auto const law = station_law(graph, channel(4, UncontendedTime::in_cpu_time));
    ASSERT_TRUE(law);
    auto const few = delays(*law, {{0, 2}, {1, 2}});
    EXPECT_GT(few[0], 5 * few[1]);
    EXPECT_GT(few[1], 0);
    auto const many = delays(*law, {{0, 200}, {1, 200}});  // approximately
    EXPECT_NEAR(200 * (0.05 / (1 + many[0]) + 0.005 / (1 + many[1])) * 16, 1, 1e-3)
        << "the channel never rests";
}

// Two unlike tasks, two channels: it was 4 % of contention.
TEST(StationLaw, UnlikeTasksNeverWaitForAsManyChannels) {
    auto const graph = with_parameter(independent({1, 1}), "memory.rate", {0.02, 0.01});
    auto resources = channel(4, UncontendedTime::in_cpu_time);
    resources.memory->channels = 2;
    auto const law = station_law(graph, resources);
    ASSERT_TRUE(law);
    EXPECT_EQ(delays(*law, {{0, 1}, {1, 1}}), (std::vector<double>{0, 0}));
    EXPECT_GT(delays(*law, {{0, 1}, {1, 2}})[0], 0);
}

TEST(StationLaw, AnApproximationIsReported) {
    auto const graph = with_parameter(independent({1, 1}), "memory.rate", {0.02, 0.005});
    auto resources = channel(4, UncontendedTime::in_cpu_time);
    resources.memory->channels = 2;
    auto const law = station_law(graph, resources);
    ASSERT_TRUE(law);
    auto const is_approximate = [&](std::vector<RunningClass> const& running) {
        return law->is_approximate(running);
    };
    EXPECT_FALSE(is_approximate({{0, 80}, {1, 80}}));
    EXPECT_TRUE(is_approximate({{0, 100}, {1, 100}}))
        << "101 * 101 combinations, with the channels and without";
    EXPECT_FALSE(is_approximate({{0, 10'000}}));
    EXPECT_TRUE(is_approximate({{0, 10'001}}));
}

TEST(StationLaw, SaysWhatTheGraphLacks) {
    auto const graph = independent({1});
    auto const silent = station_law(graph, channel(4, UncontendedTime::in_cpu_time));
    ASSERT_FALSE(silent);
    EXPECT_THAT(silent.error().message, HasSubstr("the task graph has no \"memory.rate\""));
    auto resources = channel(4, UncontendedTime::in_cpu_time);
    resources.accesses_per_us = 10;
    EXPECT_TRUE(station_law(graph, resources)) << "the file's own rate";
    auto const too_much =
        station_law(with_parameter(graph, "memory.rate", 0.1), channel(4, UncontendedTime::in_cpu_time));
    ASSERT_FALSE(too_much);
    EXPECT_THAT(too_much.error().message, HasSubstr("task 0 would spend more than its whole CPU time"));
}

TEST(LockLaw, IsTheQueueOfOneServer) {
    auto const graph =
        with_parameter(with_parameter(independent({1}), "lock.rate", 1.0 / 11), "lock.hold_ns", 1);
    auto const law = lock_law(graph);
    ASSERT_TRUE(law);
    EXPECT_EQ(delays(*law, {{0, 1}})[0], 0);
    EXPECT_NEAR(delays(*law, {{0, 5}})[0], 0.466632178 / 11, 1e-9) << "M/M/1//5 with Z = 10, S = 1";
}

TEST(LockLaw, OthersDoNotQueue) {
    auto const graph =
        with_parameter(with_parameter(independent({1, 1}), "lock.rate", {0.1, 0}), "lock.hold_ns", {2, 0});
    auto const law = lock_law(graph);
    ASSERT_TRUE(law);
    ASSERT_EQ(law->class_of_group, (std::vector<std::uint32_t>{0, 1}));
    auto const mixed = delays(*law, {{0, 3}, {1, 5}});
    EXPECT_DOUBLE_EQ(mixed[0], delays(*law, {{0, 3}})[0]);
    EXPECT_EQ(mixed[1], 0);
    EXPECT_EQ(delays(*law, {{1, 5}})[0], 0);
    auto const endless =
        lock_law(with_parameter(with_parameter(independent({1}), "lock.rate", 1), "lock.hold_ns", 2));
    ASSERT_FALSE(endless);
    EXPECT_THAT(endless.error().message, HasSubstr("holding the lock"));
}

TEST(LockLaw, EachLockIsAQueueOfItsOwn) {
    auto graph = with_parameter(with_parameter(independent({1}), "lock.rate", 1.0 / 11), "lock.hold_ns", 1);
    graph = with_parameter(with_parameter(graph, "lock2.rate", 1.0 / 11), "lock2.hold_ns", 1);
    auto const law = lock_law(graph);
    ASSERT_TRUE(law);
    EXPECT_NEAR(delays(*law, {{0, 5}})[0], 2 * 0.466632178 / 11, 2e-9);
    graph.resources.pop_back();
    auto const incomplete = lock_law(graph);
    ASSERT_FALSE(incomplete);
    EXPECT_THAT(incomplete.error().message, HasSubstr("has no \"lock2.hold_ns\""));
}

Result<ContentionLaw> sequent_law(TaskGraph const& graph) {
    return station_law(graph, *shared_resources_from_toml(*memory_preset("sequent"), "sequent"));
}

TEST(SequentLaw, IsTheBusInCyclesOf100Ns) {
    auto graph = with_parameter(independent({1}), "bus.rate", 0.0149700599 / 100);
    graph = with_parameter(graph, "bus.invalidate", 0.15);
    graph = with_parameter(graph, "bus.write_back", 0.4);
    graph = with_parameter(graph, "bus.from_cache", 0.3);
    auto const law = sequent_law(graph);
    ASSERT_TRUE(law);
    EXPECT_NEAR(1 + delays(*law, {{0, 8}})[0], 1.14553309, 1e-8);
    EXPECT_NEAR(1 + delays(*law, {{0, 16}})[0], 1.2207113, 1e-7);
    EXPECT_FALSE(sequent_law(independent({1}))) << "no rate";
    graph.resources[1].value[0] = 1.5;
    auto const impossible = sequent_law(graph);
    ASSERT_FALSE(impossible);
    EXPECT_EQ(impossible.error().message, "a share of the bus requests of task 0 is above 1");
}

TEST(SequentLaw, TasksWithoutRequestsAreNotDelayed) {
    auto const graph = with_parameter(independent({1, 1}), "bus.rate", {0.001, 0});
    auto const law = sequent_law(graph);
    ASSERT_TRUE(law);
    EXPECT_EQ(delays(*law, {{1, 4}})[0], 0);
    auto const mixed = delays(*law, {{0, 4}, {1, 4}});
    EXPECT_GT(mixed[0], 0);
    EXPECT_EQ(mixed[1], 0);
}

// The rates of a machine say the same as the law: the speed of k busy processors is 1 / (1 + delay).
TEST(MemoryRates, AreTheLawOfAProgramThatIsEverywhereTheSame) {
    auto resources = channel(4, UncontendedTime::in_cpu_time);
    resources.memory->latency_ns = 80;
    resources.accesses_per_us = 10;
    auto const rates = memory_rates(resources, {}, 16);
    auto const law = station_law(independent({1}), resources);
    ASSERT_TRUE(rates && law);
    EXPECT_DOUBLE_EQ(rates->memory_share, 0.8);
    ASSERT_EQ(rates->memory.size(), 16U);
    EXPECT_EQ(rates->memory.front(), 1);
    for (std::uint32_t busy = 1; busy <= 16; ++busy)
        EXPECT_NEAR(speed(*rates, busy), 1 / (1 + delays(*law, {{0, busy}})[0]), 1e-12) << busy;
}

TEST(MemoryRates, KeepHowMuchComputingSlowsDown) {
    auto resources = channel(40, UncontendedTime::in_cpu_time);
    resources.accesses_per_us = 0;
    auto const rates =
        memory_rates(resources, {.compute = {1, 0.9}, .memory = {1, 0.5}, .memory_share = 1}, 4);
    ASSERT_TRUE(rates);
    EXPECT_EQ(speed(*rates, 2), 0.9) << "no accesses: computing alone";
    resources.accesses_per_us.reset();
    EXPECT_FALSE(memory_rates(resources, {}, 4));
    auto const bus = memory_rates(*shared_resources_from_toml(*memory_preset("sequent"), "sequent"), {}, 4);
    ASSERT_FALSE(bus);
    EXPECT_THAT(bus.error().message, HasSubstr("task graphs do"));
}

}  // namespace
}  // namespace parcast::model
