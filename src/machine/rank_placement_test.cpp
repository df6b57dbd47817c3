#include "machine/rank_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

using Order = RankPlacement::Order;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::uint32_t> const four_ranks = {1, 1, 1, 1};

RankPlacement from_file(char const* text) {
    return {.file = "places", .text = text};
}

TEST(RankPlacement, WithoutAQuestionEachRankHasItsOwnNode) {
    auto const nodes = placed_ranks({}, four_ranks);
    EXPECT_THAT(nodes->node_of_rank, IsEmpty());
    EXPECT_EQ(nodes->nodes, 0u);
}

TEST(RankPlacement, FillsNodesOrDealsRanksOut) {
    EXPECT_THAT(placed_ranks({.nodes = 2}, four_ranks)->node_of_rank, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(placed_ranks({.order = Order::round_robin, .nodes = 2}, four_ranks)->node_of_rank,
                ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(placed_ranks({.nodes = 3}, four_ranks)->node_of_rank, ElementsAre(0, 0, 1, 1))
        << "two on each are enough";
}

TEST(RankPlacement, TakesAsManyNodesAsTheCpusNeed) {
    auto const nodes = placed_ranks({.cpus_of_node = 3}, four_ranks);
    EXPECT_THAT(nodes->node_of_rank, ElementsAre(0, 0, 0, 1));
    EXPECT_EQ(nodes->nodes, 2u);
    EXPECT_THAT(placed_ranks({.order = Order::round_robin, .cpus_of_node = 3}, four_ranks)->node_of_rank,
                ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(placed_ranks({.cpus_of_node = 3}, {2, 2, 1, 1})->node_of_rank, ElementsAre(0, 1, 1, 2))
        << "a rank with two CPUs is not cut in two";
}

TEST(RankPlacement, IsRefusedWhereRanksWouldShareCpus) {
    auto const crowded = placed_ranks({.nodes = 1, .cpus_of_node = 3}, four_ranks);
    ASSERT_FALSE(crowded);
    EXPECT_THAT(crowded.error().message, HasSubstr("node 0 has 3 CPUs, and its ranks compute on 4"));
    EXPECT_FALSE(placed_ranks({.cpus_of_node = 1}, {2})) << "one rank with two CPUs";
}

TEST(RankPlacement, ReadsTheNodeOfEachRank) {
    auto const nodes = placed_ranks(from_file("# the batch system's\nb\nb\n\na  # here\nb"), four_ranks);
    ASSERT_TRUE(nodes);
    EXPECT_THAT(nodes->node_of_rank, ElementsAre(0, 0, 1, 0));
    EXPECT_THAT(nodes->names, ElementsAre("b", "a"));
}

TEST(RankPlacement, ReadsARankfile) {
    auto const nodes =
        placed_ranks(from_file("rank 1=n1 slot=0-3\nrank 0=n2 slot=1\r\nrank 3 = n2\nrank 2=n1"), four_ranks);
    ASSERT_TRUE(nodes) << nodes.error().message;
    EXPECT_THAT(nodes->node_of_rank, ElementsAre(1, 0, 0, 1));
}

struct BadPlaces {
    char const* text;
    std::uint32_t line;
    char const* message;
};

TEST(RankPlacement, SaysInWhichLineAFileIsWrong) {
    BadPlaces const cases[] = {
        {"a\na\na\n", 3, "no node for rank 3"},
        {"a\na\na\na\na\n", 5, "rank 4 does not exist"},
        {"", 0, "no node for rank 0"},
        {"rank 0=a\nrank 0=b\n", 2, "rank 0 has a node already"},
        {"rank 9=a\n", 1, "rank 9 does not exist"},
        {"rank x=a\n", 1, "rank 3=node1"},
        {"rank\n", 1, "no node for rank 1"},  // a node called rank
        {"rank 1\n", 1, "rank 3=node1"},
        {"rank 1=\n", 1, "no name of one node"},
        {"rank 1=a b\n", 1, "no slot="},
        {"a\nrank 1=a\n", 2, "mixed"},
        {"node1 slots=4\n", 1, "no name of one node"},
        {"node1:4\n", 1, "no name of one node"},
        {"rank 18446744073709551617=a\n", 1, "rank 3=node1"},
    };
    for (auto const& each : cases) {
        auto const nodes = placed_ranks(from_file(each.text), four_ranks);
        ASSERT_FALSE(nodes) << each.text;
        EXPECT_THAT(nodes.error().message, HasSubstr(each.message)) << each.text;
        EXPECT_EQ(nodes.error().place->file, "places");
        EXPECT_EQ(nodes.error().place->line.value_or(0), each.line) << each.text;
    }
}

}  // namespace
}  // namespace parcast
