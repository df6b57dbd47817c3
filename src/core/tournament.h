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
        using std::min;  // or the key's own
        auto node = leaves_ + slot;
        nodes_[node] = key;
        while (node > 1) {
            auto const sibling = nodes_[node ^ 1];
            key = min(key, sibling);
            node /= 2;
            nodes_[node] = key;
        }
    }
    void clear(std::size_t slot) { set(slot, Key{}); }

    // The entry of the slot; Key{} if it has none.
    Key of(std::size_t slot) const { return nodes_[leaves_ + slot]; }

    // The first entry; Key{} if there is none.
    Key first() const { return nodes_[1]; }

    // The first entry of the half of the slots in which `slot` is not.
    Key first_of_other_half(std::size_t slot) const { return nodes_[2 * slot < leaves_ ? 3 : 2]; }

    // The first entry of the other slots: how far `slot` may run ahead.
    Key first_but(std::size_t slot) const {
        using std::min;
        Key earliest;
        for (auto node = leaves_ + slot; node > 1; node /= 2) {
            auto const sibling = nodes_[node ^ 1];
            earliest = min(earliest, sibling);
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

// How far a slot may run ahead of the others. With many slots most answers are no, and one look at the other
// half gives them. REQUIRES: the others' entries stay as they are meanwhile.
template <class Key>
class Lead {
public:
    Lead(Tournament<Key> const& tournament, std::size_t slot)
        : tournament_(&tournament), slot_(slot), limit_(tournament.first_of_other_half(slot)) {}

    // Whether the key comes before all entries of others.
    bool reaches(Key key) {
        if (!(key < limit_))
            return false;
        if (!is_exact_)
            limit_ = tournament_->first_but(slot_);
        is_exact_ = true;
        return key < limit_;
    }

private:
    Tournament<Key> const* tournament_;
    std::size_t slot_;
    Key limit_;
    bool is_exact_ = false;
};

}  // namespace parcast
