// What the kernel notes about a program while it runs: an event of perf_event_open with its ring of records,
// for the one CPU that the program runs on, its threads and what it starts included. Needs no privileges up
// to /proc/sys/kernel/perf_event_paranoid 2. Containers often forbid it.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <linux/perf_event.h>
#include <sys/types.h>

#include "core/result.h"

namespace parcast::record {

class PerfRing {
public:
    PerfRing() = default;
    ~PerfRing();
    PerfRing(PerfRing const&) = delete;
    PerfRing& operator=(PerfRing const&) = delete;

    // The event is inherited and begins with exec, whatever `attributes` says; times are those of the
    // monotonic clock. Errors: not_recorded, with what forbids it.
    Result<void> open(perf_event_attr attributes, pid_t process, unsigned cpu);
    // Hands over the records that there are, oldest first, each whole. Nothing if it is not open.
    void drain(std::function<void(std::span<std::byte const>)> const& take);

private:
    int descriptor_ = -1;
    std::byte* ring_ = nullptr;
    std::vector<std::byte> record_;
};

}  // namespace parcast::record
