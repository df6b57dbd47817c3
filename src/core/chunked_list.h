// A list that grows without copying and can be given back from its front while it is being read: what a
// recording of a hundred million events needs. A std::vector would hold it twice while it grows, and to the
// end while something else is made of it.

#pragma once

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
    explicit ChunkedList(std::size_t count) {
        for (std::size_t left = count; left > 0; left -= chunks_.back().size()) {
            chunks_.emplace_back(left < chunk_size ? left : chunk_size);
        }
        size_ = count;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    void push_back(Value const& value) {
        if (size_ % chunk_size == 0) {
            add_chunk();
        }
        chunks_.back().push_back(value);
        ++size_;
    }
    void pop_back() {
        chunks_.back().pop_back();
        --size_;
        if (size_ % chunk_size == 0) {
            chunks_.pop_back();
        }
    }

    // REQUIRES: i < size(), not released.
    Value const& operator[](std::size_t i) const { return chunks_[i / chunk_size][i % chunk_size]; }
    Value& operator[](std::size_t i) { return chunks_[i / chunk_size][i % chunk_size]; }

    // Frees whole chunks of values before `i`, which must not be used any more. Indices stay as they are.
    void release_before(std::size_t i) {
        for (; (released_ + 1) * chunk_size <= i; ++released_) {
            std::vector<Value>().swap(chunks_[released_]);
        }
    }

private:
    // The first one grows like any vector, since most lists are short.
    void add_chunk() {
        chunks_.emplace_back();
        if (chunks_.size() > 1) {
            chunks_.back().reserve(chunk_size);
        }
    }

    std::vector<std::vector<Value>> chunks_;  // all but the last one full
    std::size_t size_ = 0;
    std::size_t released_ = 0;  // chunks
};

}  // namespace parcast
