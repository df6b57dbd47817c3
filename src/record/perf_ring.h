// What the kernel notes about a program while it runs: an event of perf_event_open with its ring of records,
// for the one CPU that the program runs on, its threads and what it starts included. Needs no privileges up
// to /proc/sys/kernel/perf_event_paranoid 2. Containers often forbid it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <linux/perf_event.h>
#include <sys/types.h>

#include "core/result.h"
#include "record/perf_records.h"

namespace parcast::record {

class PerfRing {
public:
    PerfRing() = default;
    ~PerfRing();
    PerfRing(PerfRing const&) = delete;
    PerfRing& operator=(PerfRing const&) = delete;

    // The event is inherited and begins with exec, whatever `attributes` says; times are those of the
    // monotonic clock. The ring has `most_bytes`, or less where the user may not lock so much memory
    // (kernel.perf_event_mlock_kb, ulimit -l). REQUIRES: a power of two, 8 pages at least. Errors:
    // not_recorded, with what forbids it.
    Result<void> open(perf_event_attr attributes, pid_t process, unsigned cpu, std::size_t most_bytes);
    // The event of the calling thread, from now on. Errors: likewise.
    Result<void> open_here(perf_event_attr attributes, std::size_t most_bytes);
    // Hands over the records that there are, oldest first, each whole. Nothing if it is not open.
    void drain(std::function<void(std::span<std::byte const>)> const& take);
    // Can be read from (poll) when half of the ring is full. -1 if it is not open.
    int descriptor() const { return descriptor_; }
    // Records so far that the kernel had no room for.
    std::int64_t lost() const;

private:
    Result<void> open_event(perf_event_attr attributes, pid_t process, int cpu, std::size_t most_bytes);

    int descriptor_ = -1;
    std::byte* pages_ = nullptr;  // one about the ring, then the ring
    std::size_t ring_bytes_ = 0;
    PerfRecords records_;
};

}  // namespace parcast::record
