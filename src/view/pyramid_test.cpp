#include "view/pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace parcast::view {
namespace {

TEST(Pyramid, HasTheLevelsThatItsLongestLaneNeeds) {
    struct Case {
        std::size_t items;
        unsigned levels;
        char const* because;
    };
    for (auto const& [items, levels, because] : {
             Case{0, 0, "nothing to summarise"},
             Case{1, 0, "an item is a node of its own"},
             Case{2, 1, "one node for both"},
             Case{4, 1, "a full node"},
             Case{5, 2, "two nodes need a level above"},
             Case{16, 2, "full nodes throughout"},
             Case{17, 3, "one more than that"},
         }) {
        EXPECT_EQ(levels_for(items), levels) << because;
    }
}

TEST(Pyramid, PutsLanesBehindEachOtherAndLevelsBehindLanes) {
    std::array<std::uint32_t, 4> const first = {0, 5, 5, 6};  // lanes of 5, 0 and 1 items
    auto const pyramid = pyramid_over(first);
    EXPECT_EQ(pyramid.levels, 2U);
    EXPECT_EQ(pyramid.first, (std::vector<std::uint32_t>{0, 2, 2, 3, 4, 4, 5}));
}

struct Sum {
    std::size_t items = 0;
    std::size_t lowest = 1000000;
    std::size_t sum = 0;
    void add(Sum const& part) {
        items += part.items;
        lowest = std::min(lowest, part.lowest);
        sum += part.sum;
    }
};

TEST(Pyramid, EachNodeStandsForItsItemsAndNoOthers) {
    for (std::size_t items = 0; items < 300; ++items) {
        auto const levels = levels_for(items);
        std::size_t nodes = 0;
        auto const emit = [&](unsigned level, std::size_t index, Sum const& node) {
            std::size_t const width = std::size_t{1} << (2 * level);
            auto const begin = index * width;
            auto const end = std::min(items, begin + width);
            ASSERT_LT(begin, end);
            EXPECT_EQ(node.items, end - begin);
            EXPECT_EQ(node.lowest, begin);
            EXPECT_EQ(node.sum, (begin + end - 1) * (end - begin) / 2);
            ++nodes;
        };
        summarise<Sum>(items, levels, [](std::size_t item) { return Sum{1, item, item}; }, emit);
        std::size_t expected = 0;
        for (unsigned level = 1; level <= levels; ++level)
            expected += nodes_at(items, level);
        EXPECT_EQ(nodes, expected);
    }
}

}  // namespace
}  // namespace parcast::view
