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
#include <memory>
#include <span>
#include <vector>

#include "core/result.h"
#include "timeline/event_sink.h"

namespace parcast::trace {

inline constexpr std::size_t block_events = 64 * 1024;

// As far as the next event of the run is expected to follow from it.
struct PreviousEvent {
    std::int64_t end_ns = 0;  // of its call
    std::uint32_t object = 0;
};

class ColumnBatch;

// A block while it is written.
class BlockOfEvents {
public:
    BlockOfEvents();
    ~BlockOfEvents();
    BlockOfEvents(BlockOfEvents const&) = delete;
    BlockOfEvents& operator=(BlockOfEvents const&) = delete;

    // In the order of an EventSink. REQUIRES: at most block_events in all.
    void add(ThreadId thread, std::span<Event const> events);
    std::size_t size() const { return size_; }
    std::vector<std::byte> content() const;
    void clear();

private:
    struct Run {
        ThreadId thread;
        std::uint64_t events = 0;
    };
    std::byte* begin_of(unsigned column) const;
    void put(unsigned column, std::span<std::uint64_t const> values);

    std::vector<Run> runs_;
    std::size_t size_ = 0;
    PreviousEvent previous_;  // of the last run
    std::uint64_t presence_ = 0;
    std::unique_ptr<std::byte[]> bytes_;  // of all columns, one behind the other: room for the longest values
    std::vector<std::byte*> ends_;        // ends_[column]
    std::unique_ptr<ColumnBatch> batch_;
};

// Hands over the events, those of thread `first_thread` at the earliest. Returns how many. Errors: malformed,
// perhaps after some of them. Ids are not checked, but for those of threads.
Result<std::uint64_t> decode_events(std::span<std::byte const> content, std::size_t first_thread,
                                    std::size_t threads, EventSink const& take);

}  // namespace parcast::trace
