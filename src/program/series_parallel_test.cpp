#include "program/series_parallel.h"

#include "program/task_graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace parcast {
namespace {

using testing::HasSubstr;

// Tasks a, b, c, ... with these times, and precedences between them: "ab" is a before b.
TaskGraph graph_of(std::vector<double> const& times, std::vector<std::string> const& precedences) {
    TaskGraphBuilder builder;
    for (std::size_t i = 0; i < times.size(); ++i)
        builder.name(builder.add_task(times[i]), std::string(1, static_cast<char>('a' + i)));
    for (auto const& pair : precedences)
        builder.precede(TaskGroupId(static_cast<std::size_t>(pair[0] - 'a')),
                        TaskGroupId(static_cast<std::size_t>(pair[1] - 'a')));
    return std::move(builder).finish();
}

// "a(b|(cd))e": what stands side by side follows each other.
std::string text_of(TaskGraph const& graph, SeriesParallel const& structure) {
    std::vector<std::string> texts;
    for (auto const& node : structure.nodes) {
        if (node.kind == SeriesParallel::Kind::group) {
            texts.push_back(graph.group_names[node.group.index()]);
            continue;
        }
        std::string text;
        for (auto const child : node.children)
            text += (node.kind == SeriesParallel::Kind::parallel && !text.empty() ? "|" : "") + texts[child];
        texts.push_back("(" + text + ")");
    }
    return texts.empty() ? "" : texts.back();
}

std::string structure_of(TaskGraph const& graph) {
    auto const structure = series_parallel(graph);
    return structure ? text_of(graph, *structure) : structure.error().message;
}

TEST(SeriesParallel, IsFoundByReduction) {
    EXPECT_EQ(structure_of(graph_of({}, {})), "");
    EXPECT_EQ(structure_of(graph_of({1}, {})), "a");
    EXPECT_EQ(structure_of(graph_of({1, 1}, {})), "(a|b)");
    EXPECT_EQ(structure_of(graph_of({1, 1, 1}, {"ab", "bc"})), "(abc)");
    EXPECT_EQ(structure_of(graph_of({1, 1, 1, 1, 1}, {"ab", "ac", "cd", "be", "de"})), "(a(b|(cd))e)");
    EXPECT_EQ(structure_of(graph_of({1, 1, 1, 1}, {"ac", "ad", "bc", "bd"})), "((a|b)(c|d))");
}

TEST(SeriesParallel, PrecedencesThatFollowFromOthersDoNotHideIt) {
    EXPECT_EQ(structure_of(graph_of({1, 1, 1}, {"ab", "bc", "ac"})), "(abc)");
}

// The smallest graph that is none: N-shaped.
TaskGraph letter_n(std::vector<double> const& times) {
    return graph_of(times, {"ac", "bc", "bd"});
}

TEST(SeriesParallel, WhatIsNoneIsNamedWithTwoTasksThatShowIt) {
    EXPECT_THAT(structure_of(letter_n({1, 1, 1, 1})), HasSubstr("not a series-parallel graph: "));
    EXPECT_THAT(structure_of(letter_n({1, 1, 1, 1})),
                HasSubstr("task a and task b both go before task c, but not before the same tasks"));
}

TEST(SeriesParallel, TheClosestHasACutAndKeepsTheOrder) {
    auto const graph = letter_n({1, 4, 2, 3});
    auto const closest = closest_series_parallel(graph);
    EXPECT_EQ(text_of(graph, closest), "((a|b)(c|d))");
    EXPECT_DOUBLE_EQ(span_ns(graph, closest), 7) << "b d, as without the cut";
}

TEST(SeriesParallel, ACutIsMadeWhereItCostsLeast) {
    // a and d take long: a waits for b, which takes no time to speak of, rather than d for a.
    auto const graph = letter_n({9, 1, 1, 9});
    auto const closest = closest_series_parallel(graph);
    EXPECT_EQ(text_of(graph, closest), "(b((ac)|d))");
    EXPECT_DOUBLE_EQ(span_ns(graph, closest), 11) << "without the cut 10";
}

TEST(SeriesParallel, PartsWithoutPrecedencesBetweenThemAreCutApartFromEachOther) {
    auto const graph = graph_of({1, 4, 2, 3, 10, 20, 30, 40}, {"ac", "bc", "bd", "eg", "fg", "fh"});
    EXPECT_EQ(text_of(graph, closest_series_parallel(graph)), "(((a|b)(c|d))|((e|f)(g|h)))");
}

// Laws, on random graphs: the closest structure is the structure where there is one; it never has a shorter
// critical path; the exact structure has the graph's.
TEST(SeriesParallel, TheCriticalPathIsKeptOrLengthened) {
    std::mt19937 random(20261122);
    int exact = 0;
    for (int trial = 0; trial < 300; ++trial) {
        auto const tasks = 2 + random() % 9;
        TaskGraphBuilder builder;
        for (std::uint32_t i = 0; i < tasks; ++i)
            builder.add_task(1 + static_cast<double>(random() % 100));
        for (std::uint32_t i = 0; i < tasks; ++i) {
            for (std::uint32_t j = i + 1; j < tasks; ++j)
                if (random() % 3 == 0)
                    builder.precede(TaskGroupId(i), TaskGroupId(j));
        }
        auto const graph = std::move(builder).finish();
        auto const closest = closest_series_parallel(graph);
        EXPECT_GE(span_ns(graph, closest), span_ns(graph) - 1e-9) << "trial " << trial;
        if (auto const structure = series_parallel(graph)) {
            ++exact;
            EXPECT_DOUBLE_EQ(span_ns(graph, *structure), span_ns(graph)) << "trial " << trial;
            EXPECT_DOUBLE_EQ(span_ns(graph, closest), span_ns(graph)) << "trial " << trial;
        }
    }
    EXPECT_GT(exact, 20);
    EXPECT_LT(exact, 280);
}

}  // namespace
}  // namespace parcast
