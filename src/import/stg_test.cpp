#include "import/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace parcast {
namespace {

using testing::ElementsAre;

// tests/taskgraphs/diamond.stg: 4 tasks and 2 dummies; 14 units of work, 12 on the critical path.
constexpr char const* diamond = R"(          4
          0          0          0
          1          3          1          0
          2          5          1          1
          3          2          1          1
          4          4          2          2          3
          5          0          1          4
# hand-made
)";

std::string message(std::string const& text) {
    auto const graph = task_graph_from_stg(text, "graph.stg");
    return graph ? "" : describe(graph.error());
}

std::string with(std::string const& old_text, std::string const& new_text) {
    std::string text = diamond;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

TEST(Stg, TheTasksKeepTheirNumbers) {
    auto const graph = task_graph_from_stg(diamond, "diamond.stg");
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_THAT(graph->cpu_ns, ElementsAre(0, 3, 5, 2, 4, 0));
    EXPECT_THAT(graph->successors, ElementsAre(TaskGroupId(1), TaskGroupId(2), TaskGroupId(3), TaskGroupId(4),
                                               TaskGroupId(4), TaskGroupId(5)));
    EXPECT_EQ(work_ns(*graph), 14);
    EXPECT_EQ(span_ns(*graph), 12);
}

TEST(Stg, AUnitMayBeLonger) {
    EXPECT_EQ(work_ns(*task_graph_from_stg(diamond, "diamond.stg", 1e6)), 14e6);
}

TEST(Stg, ThePrototypeFormHasProcessorsAndNoDummyAtTheStart) {
    auto const graph = task_graph_from_stg(
        "     3     2\n     1     5     0\n     2     7     0\n"
        "     3     4     2     1     2\n     4     0     1     3\n",
        "proto.stg");
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_THAT(graph->cpu_ns, ElementsAre(5, 7, 4, 0));
    EXPECT_EQ(span_ns(*graph), 11);
}

TEST(Stg, LineEndsMayBeThoseOfWindows) {
    std::string text = diamond;
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
        text.replace(at, 1, "\r\n");
    EXPECT_EQ(message(text), "");
}

struct Mistake {
    char const* old_text;
    char const* new_text;
    char const* message;
};

class StgMistake : public testing::TestWithParam<Mistake> {};

TEST_P(StgMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(message(with(GetParam().old_text, GetParam().new_text)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachField, StgMistake,
    testing::Values(
        Mistake{"          4\n", "tasks\n", "graph.stg:1:1: expected the number of tasks"},
        Mistake{"          4\n", "          7\n",
                "graph.stg:9:1: the first line says 7 tasks and two dummies, and there are lines for 6"},
        Mistake{"          4\n", "          2\n",
                "graph.stg:9:1: the first line says 2 tasks and two dummies, and there are lines for 6"},
        Mistake{"          2          5", "          7          5",
                "graph.stg:4:11: the task after 1 is not 7"},
        Mistake{"          2          5", "          2         -5",
                "graph.stg:4:21: a time is negative or over 31 years"},
        Mistake{"          2          5", "          2         5x", "graph.stg:4:21: expected a time"},
        Mistake{"2          2          3", "2          2          9", "graph.stg:6:55: there is no task 9"},
        Mistake{"2          2          3", "2          2",
                "graph.stg:6:45: the line ends before its 2 predecessors"},
        Mistake{"2          2          3", "1          2          3",
                "graph.stg:6:55: the line goes on after the last of 1 predecessor"},
        Mistake{"          1          4\n", "", "graph.stg:8:1: expected the number of predecessors"},
        Mistake{"3          2          1          1", "3          2          1          4",
                "graph.stg:5:11: task graph: task 3 waits for itself: 3 -> 4 -> 3"}));

TEST(Stg, AnEmptyTextIsTooShort) {
    EXPECT_EQ(message(""), "graph.stg:1:1: expected the number of tasks");
    EXPECT_EQ(message("99999999999 1"), "graph.stg:1:1: the number of tasks is over 100000000");
    EXPECT_EQ(message("2\n5 0 0\n"), "graph.stg:2:1: tasks are numbered from 0 or 1");
}

}  // namespace
}  // namespace parcast
