// The content of a block of events: runs of consecutive events of threads, and their fields as columns.
//
//     runs    = count, (thread, events)*       threads in rising order
//     columns = presence mask, (bytes, varint*)*  in the order of Column; a column of zeros is absent
//
// Times are stored as the difference from what is expected of them: a thread that was not switched out
// arrives at its next call one CPU time after it left the last one, and I/O that did not wait takes its
// CPU time. So in regular programs most columns are zeros.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "timeline/event_list.h"
#include "timeline/event_sink.h"

namespace parcast::trace {

inline constexpr std::size_t block_events = 64 * 1024;

// Events first, first + 1, ..., first + count - 1 of a thread.
struct Run {
    std::uint32_t thread = 0;
    EventList const* events = nullptr;  // the caller's, for the call
    std::size_t first = 0;
    std::size_t count = 0;
};

// REQUIRES: at most block_events events in all, threads in rising order.
std::vector<std::byte> encode_events(std::span<Run const> runs);

// Hands over the events, those of thread `first_thread` at the earliest. Returns how many. Errors: malformed,
// perhaps after some of them. Ids are not checked, but for those of threads.
Result<std::uint64_t> decode_events(std::span<std::byte const> content, std::size_t first_thread,
                                    std::size_t threads, EventSink const& take);

}  // namespace parcast::trace
