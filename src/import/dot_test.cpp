#include "import/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace parcast {
namespace {

using testing::ElementsAre;

TaskGraph read(std::string const& text, double unit_ns = 1) {
    auto graph = task_graph_from_dot(text, "graph.dot", unit_ns);
    EXPECT_TRUE(graph) << describe(graph.error());
    return graph ? *graph : TaskGraph();
}

std::string message(std::string const& text) {
    auto const graph = task_graph_from_dot(text, "graph.dot");
    return graph ? "" : describe(graph.error());
}

TEST(Dot, NodesAreTasksAndArrowsArePrecedences) {
    auto const graph = read(R"(digraph G {
        a [size="3e9"]; b [size="5e9"]; c [size="2e9"]; d [size="4e9"];
        a->b [size="1000"]; a->c [size="-1"]; b->d [size="1000"]; c->d [size="0"];
    })");
    EXPECT_EQ(graph.name, "G");
    EXPECT_THAT(graph.group_names, ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(graph.cpu_ns, ElementsAre(3e9, 5e9, 2e9, 4e9));
    EXPECT_EQ(span_ns(graph), 12e9);
    EXPECT_THAT(graph.assumptions,
                ElementsAre("Arrows with a size move data: the time for that is not part of the graph."));
}

TEST(Dot, ATimeMayBeGivenInSeveralWaysAndTheMoreExplicitOneWins) {
    auto const graph =
        read(R"(digraph { a [label=3]  b [label="load", weight=4, time=5]  c [weight=6; size=7] })", 1e3);
    EXPECT_THAT(graph.cpu_ns, ElementsAre(3e3, 5e3, 7e3));
}

TEST(Dot, DefaultsHoldForTheNodesToComeInTheirSubgraph) {
    auto const graph =
        read("digraph { node [time=1] a; subgraph cluster_x { node [time=2]; b } c; a [time=9] }");
    EXPECT_THAT(graph.group_names, ElementsAre("a", "b", "c"));
    EXPECT_THAT(graph.cpu_ns, ElementsAre(9, 2, 1));
}

TEST(Dot, AnArrowMayHaveSubgraphsAndChains) {
    auto const graph = read("digraph { node [time=1]; fork -> {a b; c} -> join:n -> end }");
    EXPECT_THAT(graph.group_names, ElementsAre("fork", "a", "b", "c", "join", "end"));
    EXPECT_EQ(graph.successors.size(), 3U + 3U + 1U);
    EXPECT_EQ(span_ns(graph), 4);
}

TEST(Dot, NamesMayBeQuotedJoinedNumbersOrHtml) {
    auto const graph = read(
        "strict DIGRAPH \"a \\\"graph\\\"\" {\n# a line of the preprocessor\n node [time=1] // all\n"
        "\"long \" + \"name\" -> -1.5 /* number */ -> <b<i>old</i>> }");
    EXPECT_EQ(graph.name, "a \"graph\"");
    EXPECT_THAT(graph.group_names, ElementsAre("long name", "-1.5", "<b<i>old</i>>"));
}

TEST(Dot, RootAndEndOfSimGridNeedNoTime) {
    EXPECT_THAT(read("digraph { root -> a -> end; a [size=5] }").cpu_ns, ElementsAre(0, 5, 0));
}

TEST(Dot, AProcessPinsATask) {
    EXPECT_THAT(read("digraph { a [time=1, process=3]; b [time=1] }").process, ElementsAre(3, any_process));
}

TEST(Dot, GraphAttributesAndAssignmentsAreReadOver) {
    EXPECT_THAT(
        read("digraph { rankdir=LR; graph [size=\"7,5\"]; edge [color=red]; a [time=1, shape=box, fixed] }")
            .cpu_ns,
        ElementsAre(1));
}

struct Mistake {
    char const* text;
    char const* message;
};

class DotMistake : public testing::TestWithParam<Mistake> {};

TEST_P(DotMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(message(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachRule, DotMistake,
    testing::Values(
        Mistake{"", "graph.dot:1:1: a Graphviz file starts with digraph"},
        Mistake{"graph { a -- b }",
                "graph.dot:1:1: this graph has no directions: tasks that wait need a digraph"},
        Mistake{"digraph { a -- b }", "graph.dot:1:13: an arrow in a digraph is ->"},
        Mistake{"digraph {\n a [time=1]\n b", "graph.dot:3:3: expected '}'"},
        Mistake{"digraph {\n a [time=1]\n b }",
                "graph.dot:3:2: the task 'b' has no time: give it an attribute, as in [time=5]"},
        Mistake{"digraph { a [time=long] }",
                "graph.dot:1:19: the time 'long' is not a time: expected a number from 0 to 31 years"},
        Mistake{"digraph { a [time=-1] }",
                "graph.dot:1:19: the time '-1' is not a time: expected a number from 0 to 31 years"},
        Mistake{"digraph { a [time=1 }", "graph.dot:1:21: expected ']'"},
        Mistake{"digraph { a [time=] }", "graph.dot:1:19: expected a value"},
        Mistake{"digraph { a -> }", "graph.dot:1:16: expected a node after the arrow"},
        Mistake{"digraph { \"a }", "graph.dot:1:11: a text is not closed: a \" is missing"},
        Mistake{"digraph { <a }", "graph.dot:1:11: a text in <> is not closed"},
        Mistake{"digraph { a [time=1] & }",
                "graph.dot:1:22: '&' has no meaning here; texts with it are written in \"\""},
        Mistake{"digraph { } }", "graph.dot:1:13: there is something after the end of the graph"},
        Mistake{"digraph { }", "graph.dot:1:12: the graph has no node"},
        Mistake{"digraph { a [time=1, process=x] }",
                "graph.dot:1:30: a process is a whole number up to a million"},
        Mistake{"digraph { node [time=1] c -> d -> c }",
                "graph.dot:1:25: task graph: task c waits for itself: c -> d -> c"}));

TEST(Dot, AHostileTextDoesNotUseUpTheStack) {
    std::string text = "digraph ";
    for (int depth = 0; depth < 100'000; ++depth)
        text += "{";
    EXPECT_EQ(message(text), "graph.dot:1:110: subgraphs are nested too deeply");
}

}  // namespace
}  // namespace parcast
