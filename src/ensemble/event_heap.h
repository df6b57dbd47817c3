// Which strand arrives at its resource next: a 4-ary heap of 16-byte keys, (time, order of insertion,
// strand).
//
// An event is usually followed by one of the same strand: the root then takes the new key, and one walk down
// replaces a removal and an insertion.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parcast::ensemble {

inline constexpr unsigned strand_bits = 26;

class EventHeap {
public:
    struct Arrival {
        double time;
        std::uint32_t strand;
    };

    void clear() {
        keys_.clear();
        order_ = 0;
    }
    bool empty() const { return keys_.empty(); }

    Arrival first() const {
        return {std::bit_cast<double>(keys_.front().time),
                static_cast<std::uint32_t>(keys_.front().order & strand_mask)};
    }

    // REQUIRES: time >= 0, whose bits are ordered as the numbers are; strand < 2^strand_bits.
    void push(double time, std::uint32_t strand) {
        keys_.push_back(key(time, strand));
        rise(keys_.size() - 1);
    }
    void replace_first(double time, std::uint32_t strand) { sink(key(time, strand)); }
    void pop() {
        Key const last = keys_.back();
        keys_.pop_back();
        if (!keys_.empty())
            sink(last);
    }

private:
    struct Key {
        std::uint64_t time;
        std::uint64_t order;  // of insertion, and below it the strand

        friend bool operator<(Key a, Key b) {
            return (a.time < b.time) | ((a.time == b.time) & (a.order < b.order));
        }
    };
    static_assert(sizeof(Key) == 16);
    static constexpr std::uint64_t strand_mask = (std::uint64_t{1} << strand_bits) - 1;

    Key key(double time, std::uint32_t strand) {
        return {std::bit_cast<std::uint64_t>(time), (order_++ << strand_bits) | strand};
    }

    void rise(std::size_t place) {
        Key const rising = keys_[place];
        while (place > 0) {
            std::size_t const parent = (place - 1) / 4;
            if (!(rising < keys_[parent]))
                break;
            keys_[place] = keys_[parent];
            place = parent;
        }
        keys_[place] = rising;
    }

    // From the root, whose key is given up.
    void sink(Key sinking) {
        std::size_t const size = keys_.size();
        std::size_t place = 0;
        for (;;) {
            std::size_t const first_child = 4 * place + 1;
            if (first_child >= size)
                break;
            std::size_t least = first_child;
            std::size_t const end = std::min(first_child + 4, size);
            for (std::size_t child = first_child + 1; child < end; ++child)
                least = keys_[child] < keys_[least] ? child : least;
            if (!(keys_[least] < sinking))
                break;
            keys_[place] = keys_[least];
            place = least;
        }
        keys_[place] = sinking;
    }

    std::vector<Key> keys_;
    std::uint64_t order_ = 0;
};

}  // namespace parcast::ensemble
