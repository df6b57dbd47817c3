// Who released whom: pairs the waits on conditions or futexes with the signals, broadcasts and wakes that
// ended them. On one CPU the recorded events of all threads have one order, so the waiters that a signal
// found are known.
//
// 1. A signal releases the oldest waiter that nobody has released yet, a broadcast all of them, a futex
//    wake as many as it says that it woke.
// 2. A waiter that returns although another one was said to be released takes the other one's release:
//    kernel and C library need not wake in order.
// 3. A waiter that times out or is cut off leaves its release to the next one.
// 4. A wake is recorded when it returns: a waiter that woke up first is released by the first wake after
//    its return that was begun before it, by another thread.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct Wait {
    EventReference event;
    std::int64_t arrival_ns = 0;
    std::int64_t return_ns = 0;
    bool was_satisfied = false;          // it returned, and not because of the time
    std::optional<std::size_t> release;  // index into Releases of its object; result of the matching
};

struct Release {
    EventReference event;
    std::int64_t begin_ns = 0;  // the earliest instant at which it can have happened
    std::int64_t end_ns = 0;    // the latest; equal to begin_ns for what is recorded before the call
    std::int64_t most = 0;      // waiters that it releases at most
};
inline constexpr std::int64_t all_waiters = std::numeric_limits<std::int64_t>::max();

// What happened on one object.
struct Exchange {
    std::uint32_t object = no_object;
    std::vector<Wait> waits;        // by arrival
    std::vector<Release> releases;  // by end_ns
};

enum class ExchangeFamily : std::uint8_t { conditions, futexes };

// One for each object of the family that has waits or releases, by object; matched.
// Cost: O(events + n log n) for n waits and releases, and the waiters present at a release.
std::vector<Exchange> match_releases(Timeline const& recorded, Plan const& plan, ExchangeFamily family);

}  // namespace parcast::extract
