// Arrivals at a barrier of a futex by threads that never waited there: std::barrier yields a few times before
// it waits, and where the one CPU is taken from the thread meanwhile, it finds the phase over.
//
// A row of yields with hardly any work in between is one arrival, if no wait follows it. The last yields
// before a wait are the wait's own: as many as any wait of the futex has. Those before them are of the phase
// before, which ended while the thread yielded. A yield may be recorded after the release that it saw, since
// the thread may lose the CPU in the recorder's hook; but not after the release of the next phase, for which
// the thread still has to arrive.

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "extract/passes/releases.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct Yield {
    std::uint32_t index = 0;  // of the event
    std::int64_t wall_ns = 0;
    bool begins_row = false;
};
using Yields = std::vector<std::vector<Yield>>;  // by thread

Yields yields_of(Timeline const& recorded);

class YieldedArrivals {
public:
    // REQUIRES: the yields are those of the recording; all outlive this.
    YieldedArrivals(Timeline const& recorded, Yields const& yields, Exchange const& exchange);

    // The thread's next one, no later than that; none if it has none before its next use of the futex.
    // REQUIRES: it uses the futex.
    std::optional<EventReference> next(ThreadId thread, std::int64_t latest_ns) const;
    // The thread has arrived there, be it by a yield, a wait or a release.
    void arrive(EventReference at) {
        auto& next = threads_.at(at.thread).next;
        next = std::max(next, at.index + 1);
    }

private:
    struct Use {
        std::uint32_t index = 0;
        std::uint32_t own_yields = 0;  // directly before it
    };
    struct Thread {
        std::vector<Use> uses;   // waits that were satisfied, and releases
        std::uint32_t next = 0;  // the first event that may be its next arrival
    };

    Yields const& yields_;
    std::map<ThreadId, Thread> threads_;
};

}  // namespace parcast::extract
