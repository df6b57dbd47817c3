#include "model/deterministic/policies_for.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graph_execution.h"
#include "support/graphs_in_ns.h"

namespace parcast::model {
namespace {

using testing::ElementsAre;

// Graham 1969: more processors, shorter tasks and fewer precedences each make the same list take longer.
TEST(GrahamsAnomalies, AListTakesLongerOnOneProcessorMore) {
    EXPECT_EQ(must_execute(in_ns(reference::g3_graham()), 3, ready::ListOrder{}).time_ns, 12 * unit_ns);
    EXPECT_EQ(must_execute(in_ns(reference::g3_graham()), 4, ready::ListOrder{}).time_ns, 15 * unit_ns);
}

TEST(GrahamsAnomalies, ShorterTasksTakeLongerIfAllThatFinishTogetherRetireBeforeTheNextStart) {
    auto shorter = in_ns(reference::g3_graham());
    for (auto& time : shorter.cpu_ns)
        time -= unit_ns;
    EXPECT_EQ(must_execute(shorter, 3, ready::ListOrder{}).time_ns, 10 * unit_ns);
    EXPECT_EQ(must_execute(shorter, 3, ready::ListOrder{}, {.retire = Retire::all}).time_ns, 13 * unit_ns);
}

TEST(GrahamsAnomalies, FewerPrecedencesTakeLonger) {
    auto const fewer = graph_of({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 6}, {3, 7}});
    EXPECT_EQ(must_execute(fewer, 3, ready::ListOrder{}).time_ns, 16 * unit_ns);
}

// "Optimal with at most twice as many tasks as processors" is not true of it: the optimum is 13.
TEST(Lpt, MissesTheOptimumOfSixTasksOnThreeProcessors) {
    auto const six = graph_of({11, 7, 6, 5, 4, 3}, {});
    EXPECT_EQ(must_execute(six, 3, ready::Lpt{}).time_ns, 14 * unit_ns);
}

TEST(Lpt, ByAnEstimateTakesTheTasksInTheOrderOfTheEstimate) {
    auto graph = fork_join({0, 1, 2, 3, 0});
    graph.estimate_ns = {0, 30, 20, 10, 0};
    auto const execution =
        must_execute(graph, 1, ready::Lpt{ready::Lpt::By::estimate}, {.keep = Keep::schedule});
    EXPECT_THAT(execution.schedule, ElementsAre(testing::Field(&ScheduledTask::task, TaskId(0)),
                                                testing::Field(&ScheduledTask::task, TaskId(1)),
                                                testing::Field(&ScheduledTask::task, TaskId(2)),
                                                testing::Field(&ScheduledTask::task, TaskId(3)),
                                                testing::Field(&ScheduledTask::task, TaskId(4))));
}

TEST(ListOrder, LongestWayFirstStartsTheChainBeforeLongerTasks) {
    // Tasks 1 and 2 are as long as the first of a chain of three.
    auto const graph = graph_of({2, 2, 2, 2, 2}, {{2, 3}, {3, 4}});
    EXPECT_EQ(must_execute(graph, 2, ready::ListOrder{}).time_ns, 8 * unit_ns);
    EXPECT_EQ(must_execute(graph, 2, ready::ListOrder{ready::ListOrder::First::longest_path}).time_ns,
              6 * unit_ns);
}

TEST(Guided, TakesAnEvenShareOfTheQueueAtOnce) {
    auto const graph = graph_of({1, 1, 1, 1, 1, 1, 1, 1}, {});
    // On two: batches of 4, 2, 1, 1, of which the second process takes 2, 1 and 1.
    auto const execution = must_execute(graph, 2, policy("guided"), {.fetch_ns = {unit_ns}});
    EXPECT_EQ(execution.lost.overhead_ns, 4 * unit_ns);
}

TEST(SeveralQueues, ProcessesReturnToTheirFirstQueueAfterABarrier) {
    // Two phases of two queues; in the first process 1 helps in queue 0 at the end.
    auto graph = graph_of({4, 4, 4, 1, 0, 4, 1, 1}, {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}});
    graph.queue = {0, 0, 0, 1, 0, 0, 1, 1};
    auto const execution = must_execute(graph, 2, ready::SeveralQueues{}, {.keep = Keep::schedule});
    for (auto const& task : execution.schedule)
        EXPECT_TRUE(task.task.value < 6 || task.process == 1U) << "task " << task.task.value;
}

TEST(SeveralQueues, LongestFirstOrdersEachQueueByTheEstimate) {
    auto graph = graph_of({1, 2, 3}, {});
    graph.queue = {0, 0, 0};
    auto const execution = must_execute(graph, 1, policy("queues-lpt"), {.keep = Keep::schedule});
    EXPECT_EQ(execution.schedule[0].task, TaskId(2));
}

TEST(Explicit, TasksOfAnyProcessWaitInAQueueForAll) {
    auto graph = graph_of({4, 1, 1, 1}, {});
    graph.process = {0, 0, any_process, any_process};
    auto const execution = must_execute(graph, 2, ready::Explicit{}, {.keep = Keep::schedule});
    EXPECT_EQ(execution.time_ns, 5 * unit_ns);
    EXPECT_EQ(execution.schedule[0].task, TaskId(2));
    EXPECT_EQ(execution.schedule[0].process, 1U);
}

TEST(Explicit, InOrderWaitsForTheNextTaskOfTheProcess) {
    // Process 0 has tasks 1 and 3, and 1 waits for the long task of process 1.
    auto graph = graph_of({1, 5, 2, 2}, {{1, 0}});
    graph.process = {0, 1, 1, 0};
    EXPECT_EQ(must_execute(graph, 2, ready::Explicit{}).time_ns, 7 * unit_ns);
    EXPECT_EQ(must_execute(graph, 2, ready::Explicit{ready::Start::in_order}).time_ns, 8 * unit_ns)
        << "task 4 waits behind task 1 in the order of process 0";
}

// `split` and `pinned` were offered wherever a graph had queues: the answer of `cyclic` under another name,
// and all on one process.
TEST(PoliciesFor, OnlyThoseAreOfferedThatCanDiffer) {
    auto const names = [](TaskGraph const& graph) {
        std::vector<std::string> all;
        for (auto const& one : policies_for(graph))
            all.push_back(name_of(one));
        return all;
    };
    auto const left_out = [](TaskGraph const& graph) {
        std::vector<std::string> all;
        for (auto const& one : policies_left_out(graph))
            all.push_back(name_of(one.policy));
        return all;
    };
    auto graph = reference::g8_regions();
    EXPECT_THAT(names(graph), ElementsAre("fifo", "lpt", "list", "critical-path", "block", "cyclic",
                                          "batch:4", "guided", "ps"));
    EXPECT_THAT(left_out(graph), ElementsAre("lpt-estimate", "queues", "queues-lpt", "split", "pinned"));
    graph.queue.assign(graph.groups(), 3);
    graph.subset.assign(graph.groups(), 0);
    graph.estimate_ns = graph.cpu_ns;
    EXPECT_THAT(left_out(graph), ElementsAre("lpt-estimate", "queues", "queues-lpt", "split", "pinned"));
    EXPECT_THAT(left_out(reference::regions_in_queues()), ElementsAre("lpt-estimate", "split"));
    EXPECT_THAT(left_out(reference::split_loops()),
                ElementsAre("lpt-estimate", "queues", "queues-lpt", "pinned"));
    EXPECT_THAT(left_out(reference::wavefront_in_rows()),
                ElementsAre("lpt-estimate", "queues", "queues-lpt", "split"));
}

}  // namespace
}  // namespace parcast::model
