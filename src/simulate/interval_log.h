// Collects the intervals of a run, in the order in which they close, and sorts them into columns.
// Cost: 40 bytes an interval while it grows, as much again while it is sorted.

#pragma once

#include <cstddef>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/interval.h"

namespace parcast::simulate {

struct LoggedInterval {
    Instant begin;
    Instant end;
    ThreadId thread;
    CpuId cpu = CpuId::none();
    ObjectId object = ObjectId::none();
    ThreadId releaser = ThreadId::none();
    SiteId site = SiteId::none();
    ThreadState state = ThreadState::running;
};
static_assert(sizeof(LoggedInterval) == 40);

class IntervalLog {
public:
    // Empty intervals are dropped: a thread that is released at the instant at which it blocks did not wait.
    void add(LoggedInterval const& interval) {
        if (interval.begin < interval.end)
            intervals_.push_back(interval);
    }
    // By (thread, begin). Cost: O(intervals + threads).
    IntervalColumns columns(std::size_t threads) const;

private:
    std::vector<LoggedInterval> intervals_;
};

}  // namespace parcast::simulate
