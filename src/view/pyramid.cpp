#include "view/pyramid.h"

#include <algorithm>

namespace parcast::view {

std::size_t nodes_at(std::size_t items, unsigned level) {
    for (; level > 0; --level)
        items = (items + pyramid_factor - 1) / pyramid_factor;
    return items;
}

unsigned levels_for(std::size_t items) {
    unsigned levels = 0;
    for (; items > 1; items = nodes_at(items, 1))
        ++levels;
    return levels;
}

Pyramid pyramid_over(std::span<std::uint32_t const> lane_first) {
    auto const lanes = lane_first.size() - 1;
    auto const items = [&](std::size_t lane) -> std::size_t {
        return lane_first[lane + 1] - lane_first[lane];
    };
    std::size_t longest = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        longest = std::max(longest, items(lane));

    Pyramid pyramid{.levels = levels_for(longest), .first = {}};
    pyramid.first.reserve(pyramid.levels * lanes + 1);
    std::size_t nodes = 0;
    for (unsigned level = 1; level <= pyramid.levels; ++level) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            pyramid.first.push_back(static_cast<std::uint32_t>(nodes));
            nodes += nodes_at(items(lane), level);
        }
    }
    pyramid.first.push_back(static_cast<std::uint32_t>(nodes));
    return pyramid;
}

}  // namespace parcast::view
