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
//
// Times are those of the events. A recording may consist of little else, so what is noted is small (16 bytes
// a wait, 12 a release), and of some objects at a time.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

inline constexpr std::uint32_t no_release = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t all_waiters = std::numeric_limits<std::uint32_t>::max();

struct Wait {
    EventReference event;
    std::uint32_t release = no_release;  // into Exchange::releases; result of the matching
    bool was_satisfied = false;          // it returned, and not because of the time
};
static_assert(sizeof(Wait) == 16);

struct Release {
    EventReference event;
    std::uint32_t most = 0;  // waiters that it releases at most
};
static_assert(sizeof(Release) == 12);

// What happened on one object.
struct Exchange {
    std::uint32_t object = no_object;
    std::vector<Wait> waits;        // by arrival
    std::vector<Release> releases;  // by the instant of the event
};

enum class ExchangeFamily : std::uint8_t { conditions, futexes };

// The objects [from, to).
struct ObjectRange {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool contains(ObjectId object) const { return object.value >= from && object.value < to; }
};

class ExchangeReader {
public:
    // Both are the caller's, for the life of this. Cost: O(events).
    ExchangeReader(Timeline const& recorded, Plan const& plan, ExchangeFamily family);

    // All objects that have waits or releases, in order, so that what is known of one range fits into memory:
    // a quarter of all, or one object, or a million events.
    std::vector<ObjectRange> ranges() const;
    // One for each such object, by object; matched. Cost: O(events + n log(threads)) for n waits and
    // releases, and the waiters present at a release.
    std::vector<Exchange> read(ObjectRange range) const;

private:
    struct Count {
        std::uint32_t waits = 0;
        std::uint32_t releases = 0;
    };

    Timeline const& recorded_;
    Plan const& plan_;
    KindSet kinds_;
    std::vector<Count> counts_;  // by object
};

inline Event event_at(Timeline const& recorded, EventReference reference) {
    return recorded.events[reference.thread.index()][reference.index];
}

}  // namespace parcast::extract
