// What holds for every task graph, policy and number of processors. The seed of the random graphs is fixed;
// RC_PARAMS="seed=2 max_success=10000" tries others.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "model/deterministic/policies_for.h"
#include "program/task_graph.h"
#include "support/graph_execution.h"
#include "taskgraphs/random_graph.h"

namespace parcast::model {
namespace {

bool const has_seed = setenv("RC_PARAMS", "seed=1993 max_success=150", 0) == 0;

// Sums of rates round; without rates all times are whole.
constexpr double rounding = 1e-12;

struct Case {
    TaskGraph graph;
    std::uint32_t processors = 1;
    ExecutionSetting options;
};

Case any_case() {
    RandomGraph random;
    random.seed = *rc::gen::arbitrary<std::uint64_t>();
    random.groups = *rc::gen::inRange(1U, 40U);
    random.largest_group = *rc::gen::inRange(1U, 6U);
    random.most_predecessors = *rc::gen::inRange(1U, 5U);
    random.longest_ns = *rc::gen::element<std::uint64_t>(3, 1'000'000'000);  // many ties, or none
    Case made{random.make(), *rc::gen::inRange(1U, 12U), {}};
    made.options.retire = *rc::gen::element(Retire::one, Retire::all);
    made.options.keep = Keep::schedule;
    for (std::size_t group = 0; group < made.graph.groups(); ++group)
        made.graph.queue.push_back(static_cast<std::uint16_t>(group * 7 % 4));
    for (std::size_t task = 0; task < made.graph.tasks(); ++task)
        made.graph.process.push_back(task % 5 == 4 ? any_process : static_cast<std::uint32_t>(task * 5 % 13));
    return made;
}

GraphExecution run(Case const& made, ReadyPolicy const& policy) {
    auto result = execute(made.graph, made.processors, policy, made.options);
    RC_ASSERT(result.has_value());
    return *result;
}

// check(case, policy, execution) for random cases and all policies.
template <class Check>
void for_all(std::string const& law, Check const& check_one) {
    EXPECT_TRUE(rc::check(law, [&] {
        auto const made = any_case();
        for (auto const& policy : policies_for(made.graph))
            check_one(made, policy, run(made, policy));
    }));
}

TEST(Laws, WorkOnAllProcessorsAndTheSpanBoundEveryTimeFromBelow) {
    for_all("lower bounds",
            [](Case const& made, ReadyPolicy const& /*policy*/, GraphExecution const& execution) {
                double const least = std::max(work_ns(made.graph) / made.processors, span_ns(made.graph));
                RC_ASSERT(execution.time_ns >= least * (1 - rounding));
            });
}

// Graham 1966. So no list schedule takes more than 2 - 1/P times what another takes, whatever its anomalies.
TEST(Laws, WorkAndSpanBoundWhatKeepsProcessorsBusyFromAbove) {
    for_all("upper bound", [](Case const& made, ReadyPolicy const& policy, GraphExecution const& execution) {
        if (!is_work_conserving(policy))
            return;
        double const processors = made.processors;
        double const most = work_ns(made.graph) / processors + span_ns(made.graph) * (1 - 1 / processors);
        RC_ASSERT(execution.time_ns <= most * (1 + rounding));
    });
}

TEST(Laws, OneProcessorTakesTheWork) {
    for_all("one processor", [](Case made, ReadyPolicy const& policy, GraphExecution const& /*execution*/) {
        made.processors = 1;
        double const work = work_ns(made.graph);
        RC_ASSERT(std::abs(run(made, policy).time_ns - work) <= rounding * work);
    });
}

TEST(Laws, EveryTaskRunsOnceAfterAllThatItWaitsForAndAloneOnItsProcess) {
    for_all("valid schedule",
            [](Case const& made, ReadyPolicy const& policy, GraphExecution const& execution) {
                auto const& graph = made.graph;
                bool const is_shared = std::holds_alternative<ready::ProcessorSharing>(policy);
                std::vector<double> group_ends(graph.groups());
                std::vector<int> runs(graph.tasks());
                auto const groups = group_of_each_task(graph);
                for (auto const& task : execution.schedule) {
                    ++runs[task.task.index()];
                    auto& end = group_ends[groups[task.task.index()].index()];
                    end = std::max(end, task.finish_ns);
                    double const cpu = graph.cpu_ns[task.task.index()];
                    double const took = task.finish_ns - task.start_ns;
                    RC_ASSERT((is_shared ? took >= cpu * (1 - rounding) - 1e-3 : took == cpu));
                }
                RC_ASSERT(std::ranges::all_of(runs, [](int count) { return count == 1; }));
                std::vector<double> free_from(graph.tasks() + made.processors + 13);
                auto by_start = execution.schedule;
                std::ranges::stable_sort(by_start, {}, &ScheduledTask::start_ns);
                for (auto const& task : by_start) {
                    RC_ASSERT(task.start_ns >= free_from[task.process]);
                    free_from[task.process] = task.finish_ns;
                }
                std::vector<double> starts(graph.groups(), execution.time_ns);
                for (auto const& task : execution.schedule) {
                    auto& start = starts[groups[task.task.index()].index()];
                    start = std::min(start, task.start_ns);
                }
                for (std::size_t group = 0; group < graph.groups(); ++group)
                    for (auto const successor : graph.successors_of(TaskGroupId(group)))
                        RC_ASSERT(starts[successor.index()] >= group_ends[group]);
            });
}

TEST(Laws, TimesTwiceAsLongTakeTwiceAsLong) {
    for_all("scaling", [](Case made, ReadyPolicy const& policy, GraphExecution const& execution) {
        for (auto& time : made.graph.cpu_ns)
            time *= 2;
        RC_ASSERT(run(made, policy).time_ns == 2 * execution.time_ns);
    });
}

// New numbers for the tasks, so that each is still numbered after what it waits for or not at all so.
TaskGraph renumbered(TaskGraph const& graph, std::vector<std::uint32_t> const& new_group) {
    TaskGraphBuilder builder;
    std::vector<std::uint32_t> old_group(new_group.size());
    for (std::uint32_t group = 0; group < new_group.size(); ++group)
        old_group[new_group[group]] = group;
    for (auto const group : old_group)
        builder.add_group(graph.times_of(TaskGroupId(std::size_t{group})));
    for (std::size_t group = 0; group < graph.groups(); ++group)
        for (auto const successor : graph.successors_of(TaskGroupId(group)))
            builder.precede(TaskGroupId(std::size_t{new_group[group]}),
                            TaskGroupId(std::size_t{new_group[successor.index()]}));
    return std::move(builder).finish();
}

// Where no two tasks are equally long, nothing but times decides under these policies.
TEST(Laws, NumbersOfTasksChangeNothingWhereTimesDecide) {
    EXPECT_TRUE(rc::check("renumbering", [] {
        RandomGraph random;
        random.seed = *rc::gen::arbitrary<std::uint64_t>();
        random.groups = *rc::gen::inRange(1U, 40U);
        random.largest_group = 4;
        auto const graph = random.make();
        auto const processors = *rc::gen::inRange(1U, 9U);
        std::vector<std::uint32_t> new_group(graph.groups());
        for (std::uint32_t group = 0; group < new_group.size(); ++group)
            new_group[group] = group;
        std::shuffle(new_group.begin(), new_group.end(), std::mt19937_64(random.seed));
        auto const other = renumbered(graph, new_group);
        for (ReadyPolicy const& policy :
             {ReadyPolicy(ready::Lpt{}), ReadyPolicy(ready::ListOrder{ready::ListOrder::First::longest_path}),
              ReadyPolicy(ready::ProcessorSharing{})}) {
            auto const one = execute(graph, processors, policy);
            auto const two = execute(other, processors, policy);
            RC_ASSERT(std::abs(one->time_ns - two->time_ns) <= rounding * one->time_ns);
        }
    }));
}

}  // namespace
}  // namespace parcast::model
