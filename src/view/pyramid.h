// Levels of detail over rows of items: a node of level l stands for 4^l consecutive items of its lane, the
// last one of a lane for what is left. A picture that is zoomed out reads nodes instead of items, so that
// what it draws is bounded by its pixels.
//
// The nodes of level l, lane t follow those of lane t - 1; levels follow each other from 1 up. `first` says
// where each (level, lane) begins, so that a node stores neither its beginning nor how many items it has.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace parcast::view {

inline constexpr std::size_t pyramid_factor = 4;

// Of a lane of so many items.
std::size_t nodes_at(std::size_t items, unsigned level);
// The least number of levels whose last one has at most one node for so many items.
unsigned levels_for(std::size_t items);

struct Pyramid {
    unsigned levels = 0;
    std::vector<std::uint32_t> first;  // by (level - 1) * lanes + lane; one more: all nodes

    std::size_t size() const { return first.back(); }
};

// lane_first[t]: the first item of lane t; one more: all items.
Pyramid pyramid_over(std::span<std::uint32_t const> lane_first);

// Hands out the nodes of one lane: emit(level, node of that lane and level, summary). A Summary is empty when
// made, and takes another one by `add`. Cost: O(items) time, O(levels) memory.
template <class Summary, class ItemAt, class Emit>
void summarise(std::size_t items, unsigned levels, ItemAt const& item_at, Emit const& emit) {
    std::vector<Summary> open(levels);
    for (std::size_t item = 0; item < items; ++item) {
        bool const is_last = item + 1 == items;
        Summary summary = item_at(item);
        std::size_t index = item;
        for (unsigned level = 1; level <= levels; ++level) {
            auto& node = open[level - 1];
            node.add(summary);
            if (!is_last && (index + 1) % pyramid_factor != 0)
                break;
            index /= pyramid_factor;
            emit(level, index, node);
            summary = std::exchange(node, Summary{});
        }
    }
}

}  // namespace parcast::view
