#include "model/deterministic/contention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/task_graph_builder.h"

namespace parcast::model {
namespace {

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

}  // namespace
}  // namespace parcast::model
