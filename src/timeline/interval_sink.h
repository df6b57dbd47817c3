// Intervals that are handed over as they close, so that nobody needs all of a run's in memory.

#pragma once

#include <functional>

#include "core/id.h"
#include "core/time.h"
#include "timeline/interval.h"

namespace parcast {

// A row of IntervalColumns.
struct Interval {
    Instant begin;
    Instant end;
    ThreadId thread;
    CpuId cpu = CpuId::none();
    ObjectId object = ObjectId::none();
    ThreadId releaser = ThreadId::none();
    SiteId site = SiteId::none();
    ThreadState state = ThreadState::running;
};
static_assert(sizeof(Interval) == 40);

// Takes each interval when it closes: those of one thread in their order, none of them empty.
using IntervalSink = std::function<void(Interval const&)>;

}  // namespace parcast
