#include "generate/task_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace parcast::generate {
namespace {

double average_parallelism(TaskGraph const& graph) {
    return work_ns(graph) / span_ns(graph);
}

// Adve (1993), figure 5.1 and the numbers of his program descriptions.
struct Count {
    Structure structure;
    std::uint32_t size;
    std::size_t tasks;
    char const* because;
};

class NumberOfTasks : public testing::TestWithParam<Count> {};

TEST_P(NumberOfTasks, IsThatOfTheThesis) {
    auto const graph = task_graph(GetParam().structure, GetParam().size);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->tasks(), GetParam().tasks) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(Thesis, NumberOfTasks,
                         testing::Values(Count{Structure::psim, 1024, 10'243, "figure 5.1 (b)"},
                                         Count{Structure::psim, 4096, 40'963, "figure 5.1 (b)"},
                                         Count{Structure::locusroute, 420, 843, "figure 5.1 (c)"},
                                         Count{Structure::polyroots, 20, 217, "figure 5.1 (d)"},
                                         Count{Structure::polyroots, 30, 317,
                                               "figures 7.1 to 7.4; 348 in chapter 5"},
                                         Count{Structure::dynprog, 100, 1'403, "figure 5.1 (e)"},
                                         Count{Structure::dynprog, 500, 32'003, "figure 5.1 (e)"}));

// --memory sequent did nothing to any generated graph.
TEST(GeneratedTaskGraphs, UseTheBusAsHeMeasured) {
    for (auto const structure : {Structure::mp3d, Structure::psim, Structure::locusroute}) {
        auto const graph = task_graph(structure, 1024);
        ASSERT_EQ(graph->resources.size(), 1U);
        EXPECT_EQ(graph->resources.front().name, "bus.rate");
        EXPECT_EQ(graph->resources.front().value.front(), 0) << "the start is not in his table";
        EXPECT_GT(std::ranges::max(graph->resources.front().value), 1 / (100 * 300.0));
        EXPECT_LT(std::ranges::max(graph->resources.front().value), 1 / (100 * 76.0));
    }
}

TEST(GeneratedTaskGraphs, AreSoundAtEverySize) {
    for (auto const& [name, structure, usual, least, most, size_is, meaning] : structures) {
        for (std::uint32_t size = least; size < least + 40; ++size) {
            auto const graph = task_graph(structure, size, 7);
            ASSERT_TRUE(graph) << name << size;
            auto const checked = check(*graph);
            EXPECT_TRUE(checked) << name << size << checked.error().message;
        }
        EXPECT_TRUE(task_graph(structure, usual)) << name;
        EXPECT_FALSE(task_graph(structure, least - 1)) << name;
        EXPECT_FALSE(task_graph(structure, most + 1)) << name;
        EXPECT_EQ(structure_named(name)->structure, structure);
    }
    EXPECT_FALSE(structure_named("mp3"));
}

TEST(GeneratedTaskGraphs, AreEqualForEqualSeedsOnly) {
    for (auto const& named : structures) {
        auto const first = task_graph(named.structure, named.usual_size, 1);
        EXPECT_EQ(*first, *task_graph(named.structure, named.usual_size, 1)) << named.name;
        EXPECT_NE(first->cpu_ns, task_graph(named.structure, named.usual_size, 2)->cpu_ns) << named.name;
    }
}

TEST(Mp3d, OneOfFiveLoopsHasOverNineTenthsOfTheWork) {
    auto const graph = *task_graph(Structure::mp3d, 5000);
    double move = 0;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        if (graph.group_names[group] == "move")
            for (auto const time : graph.times_of(TaskGroupId(group)))
                move += time;
    }
    EXPECT_GT(move / work_ns(graph), 0.9);
}

TEST(Psim, TheSecondPhaseHasTheMeanTimesOfTheThesis) {
    auto const graph = *task_graph(Structure::psim, 4096);
    for (auto const& [name, mean_us] :
         {std::pair{"second.1", 44.0}, {"second.2", 677.0}, {"second.4", 473.0}}) {
        auto const group = std::ranges::find(graph.group_names, name) - graph.group_names.begin();
        auto const times = graph.times_of(TaskGroupId(static_cast<std::size_t>(group)));
        double sum = 0;
        for (auto const time : times)
            sum += time;
        EXPECT_NEAR(sum / static_cast<double>(times.size()), mean_us * 1e3, mean_us * 10)
            << name << ": the mean of thousands that vary by 2 % is within 1 %";
    }
    EXPECT_EQ(std::set(graph.subset.begin(), graph.subset.end()), (std::set<std::uint16_t>{0, 1, 2}));
}

TEST(Locusroute, TheTasksAreAsSkewedAsThoseOfTheThesis) {
    auto const graph = *task_graph(Structure::locusroute, 420);
    auto const below = std::ranges::count_if(graph.cpu_ns, [](double time) { return time < 10e6; });
    EXPECT_GT(below, 843 * 3 / 4) << "most wires take under 10 ms";
    EXPECT_GT(std::ranges::max(graph.cpu_ns), 100e6) << "a few over 100 ms";
    EXPECT_NEAR(average_parallelism(graph), 21.4, 2.5)
        << "as in the thesis, but for the times of single wires";
    EXPECT_EQ(graph.estimate_ns.size(), graph.tasks());
    EXPECT_EQ(std::ranges::max(graph.queue), 15) << "16 regions";
}

TEST(Polyroots, TheWorkAndTheParallelismAreAboutThoseOfTheThesis) {
    auto const graph = *task_graph(Structure::polyroots, 30);
    EXPECT_NEAR(work_ns(graph), 397.6e9, 0.03 * 397.6e9) << "table 5.2";
    EXPECT_NEAR(work_ns(*task_graph(Structure::polyroots, 20)), 99.2e9, 0.05 * 99.2e9) << "table 5.2";
    EXPECT_NEAR(average_parallelism(graph), 18.1, 1.5) << "figure 6.1";
    auto const roots = graph.times_of(TaskGroupId(graph.groups() - 2));
    EXPECT_EQ(roots.size(), 30U);
    EXPECT_EQ(std::ranges::max_element(roots) - roots.begin(), 26)
        << "the longest are near the end of the queue";
}

// From degree 60,000 on its longest tasks took more than the 10^18 ns that a file can say.
TEST(Polyroots, OfTheGreatestDegreeCanStillBeRead) {
    auto const most =
        std::ranges::find(structures, Structure::polyroots, &StructureName::structure)->most_size;
    EXPECT_LT(std::ranges::max(task_graph(Structure::polyroots, most)->cpu_ns), 1e18);
    EXPECT_FALSE(task_graph(Structure::polyroots, most + 1));
}

TEST(Dynprog, ARowIsOnOneProcessAndWaitsForTheRowAbove) {
    auto const graph = *task_graph(Structure::dynprog, 16);
    EXPECT_EQ(graph.tasks(), 16U * 3 + 3);
    EXPECT_EQ(graph.process[2], 0U);
    EXPECT_EQ(graph.process[2 + 3 * 5 + 1], 5U);
    EXPECT_THAT(graph.successors_of(TaskGroupId(3)), testing::ElementsAre(TaskGroupId(4), TaskGroupId(6)));
}

}  // namespace
}  // namespace parcast::generate
