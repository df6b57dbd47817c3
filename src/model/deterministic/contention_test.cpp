#include "model/deterministic/contention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/task_graph_builder.h"

namespace parcast::model {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TaskGraph three_groups() {
    TaskGraphBuilder builder;
    for (int group = 0; group < 3; ++group)
        builder.add_task(1);
    auto graph = std::move(builder).finish();
    graph.resources = {{"bus.rate", {0.5, 0.25, 0.5}}, {"disk.rate", {1, 1, 2}}};
    return graph;
}

TEST(ResourceClasses, AreTheGroupsThatAgreeInWhatWasAskedFor) {
    std::string_view const bus[] = {"bus.rate"};
    std::string_view const both[] = {"bus.rate", "disk.rate"};
    EXPECT_THAT(classes_by(three_groups(), bus).class_of_group, ElementsAre(0, 1, 0));
    EXPECT_THAT(classes_by(three_groups(), both).class_of_group, ElementsAre(0, 1, 2));
}

TEST(ResourceClasses, AParameterThatTheGraphLacksIsZero) {
    std::string_view const network[] = {"network.rate"};
    auto const classes = classes_by(three_groups(), network);
    EXPECT_THAT(classes.class_of_group, ElementsAre(0, 0, 0));
    EXPECT_THAT(classes.value, ElementsAre(ElementsAre(0)));
}

TEST(LinearContention, DelaysATaskByItsWeightForEveryOther) {
    auto const law = linear_contention(three_groups(), 0.1, "bus.rate");
    RunningClass const running[] = {{0, 2}, {1, 1}};
    double delay[2] = {};
    ASSERT_TRUE(law.solve(running, delay).has_value());
    EXPECT_THAT(delay, ElementsAre(DoubleEq(0.1 * 0.5 * 2), DoubleEq(0.1 * 0.25 * 2)));
}

TEST(LinearContention, ATaskAloneIsNotDelayed) {
    auto const law = linear_contention(three_groups(), 0.5);
    RunningClass const running[] = {{0, 1}};
    double delay[1] = {1};
    ASSERT_TRUE(law.solve(running, delay).has_value());
    EXPECT_EQ(delay[0], 0);
}

}  // namespace
}  // namespace parcast::model
