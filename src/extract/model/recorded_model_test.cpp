// Task graphs as model texts, and what the texts mean when they are compiled.

#include "extract/model/recorded_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "extract/model/segment_tree.h"
#include "program/task_graph_builder.h"

namespace parcast::extract {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// `phases` loops of as many tasks as there are times, each behind the other, between a fork and a join.
TaskGraph phases_of(std::vector<std::vector<double>> const& phases) {
    TaskGraphBuilder builder;
    auto last = builder.add_task(1e6);
    for (auto const& times : phases) {
        auto const group = builder.add_group(times);
        builder.precede(last, group);
        last = group;
    }
    auto const join = builder.add_task(2e6);
    builder.precede(last, join);
    return std::move(builder).finish();
}

RecordedModel modelled(TaskGraph const& graph) {
    auto const structure = series_parallel(graph);
    EXPECT_TRUE(structure.has_value()) << (structure ? "" : structure.error().message);
    return model_of(graph, *structure, {"test"});
}

TEST(RecordedModel, WhatRepeatsItselfIsALoopOverAParameter) {
    std::vector<double> const phase{3e6, 3e6, 3e6, 3e6};
    auto const model = modelled(phases_of({phase, phase, phase, phase, phase}));
    EXPECT_EQ(model.text,
              "% test\n"
              "% times in ms\n"
              "\n"
              "numeric parameter P = 4\n"
              "numeric parameter N = 5\n"
              "\n"
              "process main = {\n"
              "    delay(1);\n"
              "    seq (i1 = 1, N) par (p2 = 1, P) delay(3);\n"
              "    delay(2)\n"
              "}\n");
}

TEST(RecordedModel, WithANumberOfCpusComputingIsAUseOfThem) {
    std::vector<double> const phase{3e6, 3e6, 3e6, 3e6};
    auto const graph = phases_of({phase});
    auto const model = model_of(graph, *series_parallel(graph), {"test"}, 2);
    EXPECT_EQ(model.text,
              "% test\n"
              "% times in ms\n"
              "\n"
              "numeric parameter P = 4\n"
              "numeric parameter CPUS = 2\n"
              "\n"
              "resource cpu = fcfs(0,CPUS)\n"
              "\n"
              "process main = {\n"
              "    use(cpu,1);\n"
              "    par (p1 = 1, P) use(cpu,3);\n"
              "    use(cpu,2)\n"
              "}\n");
    EXPECT_EQ(model.parameters.back().name, "CPUS");
}

TEST(RecordedModel, SegmentsThatDifferHaveMoments) {
    // 2 and 4 ms, as often: mean 3, variance 1 of the values and 4/3 of what they are taken from, two points.
    std::vector<double> const phase{2e6, 4e6, 2e6, 4e6};
    auto const model = modelled(phases_of({phase, phase, phase}));
    EXPECT_THAT(model.text, HasSubstr("numeric t1 = moments(3,1.333333333,0,1)  % 12 segments, 2 to 4\n"));
    EXPECT_THAT(model.text, HasSubstr("seq (i1 = 1, N) par (p2 = 1, P) delay(t1)"));
}

TEST(RecordedModel, TwoRoundsAreNoLoopAndPartsThatTakeLongerAreOthers) {
    auto const twice = modelled(phases_of({{3e6, 3e6}, {3e6, 3e6}}));
    EXPECT_THAT(twice.text, AllOf(Not(HasSubstr("seq")), HasSubstr("par (p1 = 1, P) delay(3)")));
    auto const unlike = modelled(phases_of({{3e6, 3e6, 3e6, 9e6}}));
    EXPECT_THAT(unlike.text, HasSubstr("par (p1 = 1, P) delay(3) ||"));
    EXPECT_THAT(unlike.text, HasSubstr("delay(9)"));
}

// lu: its rounds grow shorter, and four branches of any two of them seemed to wait for each other: 20 % too
// slow.
TEST(RecordedModel, WhatDiffersFromRoundToRoundIsNoDifferenceBetweenBranches) {
    auto const model = modelled(phases_of({{5e6, 5e6}, {8e6, 8e6}, {8e6, 8e6}}));
    EXPECT_THAT(model.text, HasSubstr("seq (i1 = 1, N) par (p2 = 1, P) delay(7)"));
}

TEST(RecordedModel, BranchesOfSeveralRoundsAreComparedRoundByRound) {
    TaskGraphBuilder builder;
    for (int branch = 0; branch < 2; ++branch) {
        auto last = builder.add_task(5e6);
        for (double const time : {8e6, 8e6}) {
            auto const next = builder.add_task(time);
            builder.precede(last, next);
            last = next;
        }
    }
    EXPECT_THAT(modelled(std::move(builder).finish()).text,
                HasSubstr("par (p1 = 1, P) seq (i2 = 1, N) delay(7)"));
}

// What threads do between two barriers that follow each other hid that rounds are alike.
TEST(RecordedModel, ShortPartsOfASequenceAreOneDelay) {
    std::vector<std::vector<double>> phases;
    for (int round = 0; round < 6; ++round) {
        phases.push_back({9e6, 9e6});
        phases.emplace_back(1 + round % 3, 2e3);
    }
    auto const model = modelled(phases_of(phases));
    EXPECT_THAT(model.text, HasSubstr("% 6 short parts of sequences are one delay at their ends\n"));
    EXPECT_THAT(model.text, HasSubstr("    seq (i1 = 1, N) par (p2 = 1, P) delay(9);\n"
                                      "    delay(2.012)\n"));
}

TEST(RecordedModel, ARoundMayHaveSeveralParts) {
    std::vector<std::vector<double>> phases;
    for (int round = 0; round < 4; ++round) {
        phases.push_back({5e6, 5e6});
        phases.push_back({1e6, 1e6});
    }
    auto const model = modelled(phases_of(phases));
    EXPECT_THAT(model.text, HasSubstr("    seq (i1 = 1, N) {\n"
                                      "        par (p2 = 1, P) delay(5);\n"
                                      "        par (p2 = 1, P) delay(1)\n"
                                      "    };\n"));
    ASSERT_EQ(model.parameters.size(), 2U);
    EXPECT_EQ(model.parameters[1].value, 4U);
}

TEST(RecordedModel, BranchesThatAreSequencesAreAlikeIfTheirPartsAre) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1e6);
    auto const join = builder.add_task(1e6);
    for (int branch = 0; branch < 3; ++branch) {
        auto const first = builder.add_task(2e6);
        auto const second = builder.add_group(std::array{7e6, 7e6});
        builder.precede(fork, first);
        builder.precede(first, second);
        builder.precede(second, join);
    }
    auto const model = modelled(std::move(builder).finish());
    EXPECT_THAT(model.text, HasSubstr("par (p1 = 1, P) {\n"
                                      "        delay(2);\n"
                                      "        par (p2 = 1, P2) delay(7)\n"));
}

TEST(RecordedModel, LocksAreResourcesThatAreHeldAsLongAsTheyWere) {
    TaskGraphBuilder builder;
    auto const loop = builder.add_group(std::array{10e6, 10e6});
    builder.use(loop, "lock.rate", 4 / 10e6);  // four times in each task
    builder.use(loop, "lock.hold_ns", 0.5e6);
    builder.use(loop, "bus.rate", 0.1);
    auto const model = modelled(std::move(builder).finish());
    EXPECT_THAT(model.text, HasSubstr("resource lock = fcfs(0,1)\n"));
    EXPECT_THAT(model.text, HasSubstr("par (p1 = 1, P) { seq (i2 = 1, 4) { delay(2); use(lock,0.5) } }"));
    EXPECT_THAT(model.text, HasSubstr("% the use of 'bus' is left out\n"));
    EXPECT_THAT(model.left_out, testing::ElementsAre("bus"));
}

// n_body: the variance was divided among 1458 parts, whose deviation was 9 times their mean. Simulated,
// negative draws counted as 0, and the program took three times as long as by formula.
TEST(RecordedModel, ASegmentWithLocksVariesAsAWhole) {
    TaskGraphBuilder builder;
    auto const loop = builder.add_group(std::array{9e6, 11e6, 9e6, 11e6});  // 10, variance 4/3
    builder.use(loop, "lock.rate", 4 / 10e6);
    builder.use(loop, "lock.hold_ns", 0.5e6);
    auto const text = modelled(std::move(builder).finish()).text;
    // Two points: 2 more than the lower one in the mean of what is free; it is 8 - 1.1547.
    EXPECT_THAT(text, HasSubstr("numeric t1 = moments(1.154700538,1.333333333,0,1)  % 4 segments, 9 to 11, "
                                "less 6.845 between 4 uses of locks\n"));
    EXPECT_THAT(text, HasSubstr("{ delay(t1); seq (i2 = 1, 4) { delay(1.711324865); use(lock,0.5) } }"));
}

TEST(RecordedModel, AModelHasNotMoreParametersThanAReaderCanKeepApart) {
    std::vector<std::vector<double>> phases;
    for (std::size_t tasks = 2; tasks < 10; ++tasks)
        phases.emplace_back(tasks, 1e6 * static_cast<double>(tasks * tasks));
    auto const model = modelled(phases_of(phases));
    ASSERT_EQ(model.parameters.size(), 3U);
    EXPECT_EQ(model.parameters[0].value, 9U) << "the most work";
    EXPECT_THAT(model.text, HasSubstr("par (p1 = 1, 2) delay(4)"));
}

TEST(RecordedModel, AFileNameDoesNotEndTheComment) {
    auto const graph = phases_of({{1e6}});
    auto const model = model_of(graph, *series_parallel(graph), {"a\nprocess main = delay(0)"});
    EXPECT_THAT(model.text, HasSubstr("% a process main"));
}

}  // namespace
}  // namespace parcast::extract
