// A block of the trace file: bytes, zstd-compressed, with an XXH3 checksum of what is stored.
//
// Bounded expansion: a block that would shrink by more than largest_expansion is stored as it is, and a
// reader refuses one that claims more. So a hostile file makes a reader allocate at most that factor of
// its own size, times what an event takes in memory over its one byte at least in a block.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace parcast::trace {

inline constexpr std::uint64_t largest_expansion = 128;

struct BlockSize {
    std::uint64_t stored = 0;    // bytes in the file
    std::uint64_t content = 0;   // bytes after decompression; equal to stored: not compressed
    std::uint64_t checksum = 0;  // of the stored bytes
};

std::uint64_t checksum_of(std::span<std::byte const> bytes);

class BlockWriter {
public:
    BlockWriter();
    // Appends the block to `file`.
    BlockSize write(std::span<std::byte const> content, std::vector<std::byte>& file);

private:
    struct Free {
        void operator()(ZSTD_CCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

class BlockReader {
public:
    BlockReader();
    // The content; valid until the next call. REQUIRES: stored.size() == size.stored.
    // Errors: corrupted (checksum), malformed (sizes).
    Result<std::span<std::byte const>> read(std::span<std::byte const> stored, BlockSize const& size);

private:
    struct Free {
        void operator()(ZSTD_DCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> context_;
    std::vector<std::byte> content_;
};

}  // namespace parcast::trace
