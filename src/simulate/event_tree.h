// A tournament tree: the earliest of n slots that have at most one pending event each (a processor's
// next completion). For such queues it beats a heap, whose branches cannot be predicted.
//
// Cost: set O(log slots), first O(1), first_but O(log slots); 32 bytes a slot.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "core/ensure.h"
#include "simulate/event_key.h"

namespace parcast::simulate {

class EventTree {
public:
    explicit EventTree(std::size_t slots) : leaves_(std::bit_ceil(std::max<std::size_t>(slots, 2))) {
        nodes_.resize(2 * leaves_);
    }

    void set(std::size_t slot, EventKey key) {
        debug_ensure(slot < leaves_, "slot within the tree");
        auto node = leaves_ + slot;
        nodes_[node] = key;
        while (node > 1) {
            node /= 2;
            auto const left = nodes_[2 * node];
            auto const right = nodes_[2 * node + 1];
            nodes_[node] = right < left ? right : left;
        }
    }
    void clear(std::size_t slot) { set(slot, EventKey{}); }

    // The earliest event; is_never() if there is none.
    EventKey first() const { return nodes_[1]; }

    // The earliest event of the other slots: how far `slot` may run ahead.
    EventKey first_but(std::size_t slot) const {
        EventKey earliest;
        for (auto node = leaves_ + slot; node > 1; node /= 2) {
            auto const sibling = nodes_[node ^ 1];
            earliest = sibling < earliest ? sibling : earliest;
        }
        return earliest;
    }

private:
    std::size_t leaves_;
    std::vector<EventKey> nodes_;  // nodes_[1] is the root, the leaves come last
};

}  // namespace parcast::simulate
