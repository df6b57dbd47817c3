// Arrivals at a barrier of a futex by threads that never waited there: std::barrier yields a few times before
// it waits, and where the one CPU is taken from the thread meanwhile, it finds the phase over.
//
// A row of yields with hardly any work in between is one arrival, or two where two phases end within it. The
// last yields before a wait are the wait's own: as many as most waits of the futex have. Those before them
// are of the phase before. A yield may be recorded after the release that it saw, since the thread may lose
// the CPU in the recorder's hook: it is then the first event of the thread after that. Page faults that the
// kernel noted are passed over.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "extract/passes/releases.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct Yield {
    std::uint32_t index = 0;        // of the event
    std::int64_t after_ns = 0;      // when the event before it was over
    std::uint32_t before_wait = 0;  // 1: a wait for a futex follows directly; 2: after another yield; 0: none
    std::size_t next_row = 0;       // where, in Yields of the thread
    bool begins_row = false;
    bool is_taken = false;  // it is an arrival at some barrier
};
using Yields = std::vector<std::vector<Yield>>;  // by thread

// Cost: O(events).
Yields yields_of(Timeline const& recorded);
// Those that are an arrival are none elsewhere.
void take(std::vector<EventReference> const& arrivals, Yields& yields);

class YieldedArrivals {
public:
    // REQUIRES: the yields are those of the recording; both outlive this.
    YieldedArrivals(Yields const& yields, Exchange const& exchange);

    // The thread's next one, for a release that ended then; none if it has none before its next use of the
    // futex. REQUIRES: it uses the futex.
    std::optional<EventReference> next(ThreadId thread, std::int64_t released_ns) const;
    // The thread has arrived there, be it by a yield, a wait or a release.
    void arrive(EventReference at) {
        auto& next = threads_.at(at.thread).next;
        next = std::max(next, at.index + 1);
    }

private:
    struct Thread {
        std::vector<std::uint32_t> uses;  // waits that were satisfied, and releases
        std::uint32_t next = 0;           // the first event that may be its next arrival
    };

    bool is_arrival(Yield const& yield) const {
        return !yield.is_taken && (yield.before_wait == 0 || yield.before_wait > own_);
    }

    Yields const& yields_;
    std::uint32_t own_ = 0;  // yields of a wait
    std::map<ThreadId, Thread> threads_;
};

}  // namespace parcast::extract
