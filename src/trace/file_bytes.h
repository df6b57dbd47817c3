// The bytes of a file that are asked for, so that a large one need not lie in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/result.h"

namespace parcast::trace {

class FileBytes {
public:
    // Fills `to` with what begins at `offset`. False if that cannot be read.
    using ReadAt = std::function<bool(std::uint64_t offset, std::span<std::byte> to)>;

    FileBytes(std::uint64_t size, ReadAt read_at) : size_(size), read_at_(std::move(read_at)) {}
    // A file that lies in memory: the caller's, as long as this reads it.
    explicit FileBytes(std::span<std::byte const> all) : size_(all.size()), all_(all) {}

    std::uint64_t size() const { return size_; }

    // Valid until the next call. REQUIRES: offset + count <= size(). Errors: truncated (the file has become
    // shorter, or its disk fails).
    Result<std::span<std::byte const>> at(std::uint64_t offset, std::size_t count) {
        if (!read_at_)
            return all_.subspan(offset, count);
        piece_.resize(count);
        if (!read_at_(offset, piece_))
            return fail(ErrorCode::truncated, "the file cannot be read any further",
                        SourcePosition{{}, {}, {}, offset});
        return piece_;
    }

private:
    std::uint64_t size_;
    ReadAt read_at_;  // empty: all_
    std::span<std::byte const> all_;
    std::vector<std::byte> piece_;
};

}  // namespace parcast::trace
