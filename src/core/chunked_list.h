// A list that grows without copying and can be given back from its front while it is being read: what a
// recording of a hundred million events needs. A std::vector would hold it twice while it grows, and to the
// end while something else is made of it.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace parcast {

template <class Value>
class ChunkedList {
public:
    // A power of two. Large chunks go back to the system when they are freed; a short list is one small
    // vector.
    static constexpr std::size_t chunk_size = std::size_t{1} << 16;

    ChunkedList() = default;
    explicit ChunkedList(std::size_t count) : size_(count) {
        for (std::size_t left = count; left > 0; left -= chunks_.back().values.size())
            chunks_.push_back({std::vector<Value>(std::min(left, chunk_size))});
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    void push_back(Value const& value) {
        next_chunk().push_back(value);
        ++size_;
    }
    // The next push_back allocates nothing.
    void reserve_one() {
        auto& chunk = next_chunk();
        if (chunk.size() == chunk.capacity())
            chunk.reserve(std::min(chunk_size, 2 * chunk.size() + 1));
    }
    void pop_back() {
        --size_;
        chunks_[size_ / chunk_size].values.pop_back();
    }

    // REQUIRES: i < size(), not released.
    Value const& operator[](std::size_t i) const { return chunks_[i / chunk_size].values[i % chunk_size]; }
    Value& operator[](std::size_t i) { return chunks_[i / chunk_size].values[i % chunk_size]; }

    // Frees whole chunks of values before `i`, which must not be used any more. Indices stay as they are.
    void release_before(std::size_t i) {
        for (; (released_ + 1) * chunk_size <= i; ++released_)
            free_chunk(released_);
    }
    // The same for values in any order: a chunk is freed with the last of its values. REQUIRES: each value
    // is released once, and none by release_before.
    void release(std::size_t i) {
        if (++chunks_[i / chunk_size].released == chunk_size)
            free_chunk(i / chunk_size);
    }

private:
    struct Chunk {
        std::vector<Value> values;
        std::size_t released = 0;
    };

    // The first one grows like any vector, since most lists are short.
    std::vector<Value>& next_chunk() {
        if (size_ == chunks_.size() * chunk_size) {
            chunks_.emplace_back();
            if (chunks_.size() > 1)
                chunks_.back().values.reserve(chunk_size);
        }
        return chunks_[size_ / chunk_size].values;
    }
    void free_chunk(std::size_t chunk) { std::vector<Value>().swap(chunks_[chunk].values); }

    std::vector<Chunk> chunks_;  // full, but for the one with the last value; an empty one may follow it
    std::size_t size_ = 0;
    std::size_t released_ = 0;  // chunks, by release_before
};

}  // namespace parcast
