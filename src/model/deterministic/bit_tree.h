// The lowest of a set of small integers: idle processes, or ready tasks by rank. A tree of words with 64
// children each, so no step of it branches on the data, and of ten million members four words are touched.
//
// Cost: insert, erase and first O(log64 size); 1 bit a member.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parcast::model {

class BitTree {
public:
    explicit BitTree(std::size_t size) {
        do {
            size = (size + 63) / 64;
            levels_.emplace_back(size);
        } while (size > 1);
    }

    void insert(std::uint32_t member) {
        for (auto& level : levels_) {
            auto& word = level[member / 64];
            bool const is_known_above = word != 0;
            word |= bit(member);
            if (is_known_above)
                return;
            member /= 64;
        }
    }

    void erase(std::uint32_t member) {
        for (auto& level : levels_) {
            auto& word = level[member / 64];
            word &= ~bit(member);
            if (word != 0)
                return;
            member /= 64;
        }
    }

    bool contains(std::uint32_t member) const { return (levels_[0][member / 64] & bit(member)) != 0; }
    bool is_empty() const { return levels_.back()[0] == 0; }

    // REQUIRES: not empty.
    std::uint32_t first() const {
        std::uint32_t place = 0;
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            place = place * 64 + static_cast<std::uint32_t>(std::countr_zero((*level)[place]));
        return place;
    }

    std::uint32_t take_first() {
        auto const member = first();
        erase(member);
        return member;
    }

private:
    static std::uint64_t bit(std::uint32_t member) { return std::uint64_t{1} << member % 64; }

    std::vector<std::vector<std::uint64_t>> levels_;  // level 0 has a bit a member, the last one word
};

}  // namespace parcast::model
