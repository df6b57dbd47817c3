// The blocks that a rank has in its cache: those that it used last, up to a number of bytes.

#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

namespace parcast::generate {

class BlockCache {
public:
    explicit BlockCache(std::uint64_t capacity_bytes) : capacity_(capacity_bytes) {}

    // The block is used, and is the last to go. Returns whether it was there. One larger than the cache never
    // is. REQUIRES: always the same bytes for a block. Cost: O(1), but for what has to go.
    bool use(std::uint64_t block, std::uint64_t bytes) {
        if (auto const found = places_.find(block); found != places_.end()) {
            blocks_.splice(blocks_.begin(), blocks_, found->second);
            return true;
        }
        if (bytes > capacity_)
            return false;
        while (used_ + bytes > capacity_) {
            used_ -= blocks_.back().bytes;
            places_.erase(blocks_.back().block);
            blocks_.pop_back();
        }
        blocks_.push_front({block, bytes});
        places_[block] = blocks_.begin();
        used_ += bytes;
        return false;
    }

private:
    struct Resident {
        std::uint64_t block;
        std::uint64_t bytes;
    };

    std::uint64_t capacity_;
    std::uint64_t used_ = 0;
    std::list<Resident> blocks_;  // the last used one first
    std::unordered_map<std::uint64_t, std::list<Resident>::iterator> places_;
};

}  // namespace parcast::generate
