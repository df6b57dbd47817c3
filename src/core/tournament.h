// A tournament of slots that have at most one pending entry each (a processor's next completion): the first
// entry of all. For such queues it beats a heap, whose branches cannot be predicted.
//
// A key is ordered by <. Key{} comes after every entry, and stands for a slot that has none.
// Cost: set and first_but O(log slots), first O(1); up to four keys a slot.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/ensure.h"

namespace parcast {

template <class Key>
class Tournament {
public:
    explicit Tournament(std::size_t slots)
        : leaves_(std::bit_ceil(std::max<std::size_t>(slots, 2))), nodes_(2 * leaves_) {}

    std::size_t slots() const { return leaves_; }

    void set(std::size_t slot, Key key) {
        debug_ensure(slot < leaves_, "slot within the tournament");
        auto node = leaves_ + slot;
        nodes_[node] = key;
        while (node > 1) {
            auto const sibling = nodes_[node ^ 1];
            key = sibling < key ? sibling : key;
            node /= 2;
            nodes_[node] = key;
        }
    }
    void clear(std::size_t slot) { set(slot, Key{}); }

    // The entry of the slot; Key{} if it has none.
    Key of(std::size_t slot) const { return nodes_[leaves_ + slot]; }

    // The first entry; Key{} if there is none.
    Key first() const { return nodes_[1]; }

    // The first entry of the other slots: how far `slot` may run ahead.
    Key first_but(std::size_t slot) const {
        Key earliest;
        for (auto node = leaves_ + slot; node > 1; node /= 2) {
            auto const sibling = nodes_[node ^ 1];
            earliest = sibling < earliest ? sibling : earliest;
        }
        return earliest;
    }

    // Makes room for twice as many slots.
    void grow() {
        Tournament larger(2 * leaves_);
        for (std::size_t slot = 0; slot < leaves_; ++slot)
            larger.set(slot, nodes_[leaves_ + slot]);
        *this = std::move(larger);
    }

private:
    std::size_t leaves_;
    std::vector<Key> nodes_;  // nodes_[1] is the root, the leaves come last
};

}  // namespace parcast
