// The content of a block of shares: runs of consecutive shares of threads, and their fields as columns.
//
//     runs    = count, (thread, shares)*       threads in rising order
//     columns = (bytes, varint*)*              piece (difference), stack, ns, calls, deeper calls
//
// Beside the blocks of events, so that who asks for events alone reads none of it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "timeline/event_sink.h"
#include "trace/byte_stream.h"

namespace parcast::trace {

inline constexpr std::size_t block_shares = 64 * 1024;

// A block while it is written.
class BlockOfShares {
public:
    // In the order of a ShareSink. REQUIRES: at most block_shares in all.
    void add(ThreadId thread, std::span<WorkShare const> shares);
    std::size_t size() const { return size_; }
    std::vector<std::byte> content() const;
    void clear() { *this = {}; }

    static constexpr std::size_t column_count = 5;

private:
    struct Run {
        ThreadId thread;
        std::uint64_t shares = 0;
    };
    std::vector<Run> runs_;
    std::size_t size_ = 0;
    std::uint32_t piece_ = 0;  // of the last share of the last run
    std::array<ByteWriter, column_count> columns_;
};

// Hands over the shares. Errors: malformed. What they say is not checked.
Result<void> decode_shares(std::span<std::byte const> content, std::size_t threads, ShareSink const& take);

}  // namespace parcast::trace
