#include "import/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace parcast {
namespace {

using testing::ElementsAre;

// tests/taskgraphs/diamond.wfformat.json
constexpr char const* diamond =
    R"({"name":"diamond","schemaVersion":"1.5","workflow":{"specification":{"tasks":[
 {"name":"a","id":"a","parents":[],"children":["b","c"]},
 {"name":"b","id":"b","parents":["a"],"children":["d"]},
 {"name":"c","id":"c","parents":["a"],"children":["d"]},
 {"name":"d","id":"d","parents":["b","c"],"children":[]}]},
 "execution":{"makespanInSeconds":12,"executedAt":"2026-01-01T00:00:00+00:00","tasks":[
 {"id":"a","runtimeInSeconds":3},{"id":"b","runtimeInSeconds":5},{"id":"c","runtimeInSeconds":2},
 {"id":"d","runtimeInSeconds":4}]}}})";

// Up to 1.3: jobs with their run times, and parents by their names.
constexpr char const* older = R"({"name":"older","schemaVersion":"1.0","workflow":{"makespan":7,"jobs":[
 {"name":"a","type":"compute","runtime":0.25,"parents":[],"files":[{"name":"f","size":3}],"cores":1},
 {"name":"b","type":"compute","runtime":4,"parents":["a"],"cores":8}]}})";

std::string message(std::string const& text) {
    auto const graph = task_graph_from_wfformat(text, "flow.json");
    return graph ? "" : describe(graph.error());
}

std::string with(std::string const& old_text, std::string const& new_text) {
    std::string text = diamond;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

TEST(WfFormat, ASpecificationAndItsExecutionAreATaskGraph) {
    auto const graph = task_graph_from_wfformat(diamond, "flow.json");
    ASSERT_TRUE(graph) << describe(graph.error());
    EXPECT_EQ(graph->name, "diamond");
    EXPECT_THAT(graph->group_names, ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(graph->cpu_ns, ElementsAre(3e9, 5e9, 2e9, 4e9));
    EXPECT_EQ(graph->successors.size(), 4U) << "a precedence that parent and child name is one";
    EXPECT_EQ(span_ns(*graph), 12e9);
}

TEST(WfFormat, OlderVersionsHaveTheirTimesWithTheTasks) {
    auto const graph = task_graph_from_wfformat(older, "flow.json");
    ASSERT_TRUE(graph) << describe(graph.error());
    EXPECT_THAT(graph->cpu_ns, ElementsAre(0.25e9, 4e9));
    EXPECT_THAT(graph->successors, ElementsAre(TaskGroupId(1)));
    EXPECT_EQ(graph->assumptions.back(),
              "Some tasks used several cores: here each runs on one, for as long.");
}

TEST(WfFormat, ATaskIsNamedByItsIdOrByItsName) {
    auto const graph = task_graph_from_wfformat(
        with("\"name\":\"a\",\"id\":\"a\"", "\"name\":\"align\",\"id\":\"a\""), "flow.json");
    ASSERT_TRUE(graph) << describe(graph.error());
    EXPECT_EQ(graph->group_names[0], "align");
}

struct Mistake {
    char const* old_text;
    char const* new_text;
    char const* message;
};

class WfFormatMistake : public testing::TestWithParam<Mistake> {};

TEST_P(WfFormatMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(message(with(GetParam().old_text, GetParam().new_text)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachField, WfFormatMistake,
    testing::Values(
        Mistake{"\"parents\":[\"a\"]", "\"parents\":[\"x\"]", "flow.json:3:34: there is no task \"x\""},
        Mistake{"\"id\":\"b\",\"parents\"", "\"id\":\"a\",\"parents\"",
                "flow.json:3:2: there are two tasks \"a\""},
        Mistake{"{\"id\":\"a\",\"runtimeInSeconds\":3},", "",
                "flow.json:2:2: the task \"a\" has no \"runtimeInSeconds\": "
                "a workflow without its execution has no "
                "times"},
        Mistake{"\"runtimeInSeconds\":3", "\"runtimeInSeconds\":-3",
                "flow.json:7:31: a run time is negative or over 31 years"},
        Mistake{"\"runtimeInSeconds\":3", "\"runtimeInSeconds\":\"3\"", "flow.json:7:31: expected a number"},
        Mistake{"\"workflow\"", "\"flow\"",
                "flow.json:1:1: there is no task in "
                "workflow.specification.tasks, workflow.tasks or workflow.jobs"},
        Mistake{"\"children\":[]", "\"children\":[\"a\"]",
                "flow.json: task graph: task a waits for itself: a -> c -> d -> a"}));

}  // namespace
}  // namespace parcast
