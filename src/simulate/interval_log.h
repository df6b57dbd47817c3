// Collects the intervals of a run, in the order in which they close, and sorts them into columns.
// Cost: 40 bytes an interval while it grows, as much again while it is sorted.

#pragma once

#include <cstddef>
#include <vector>

#include "timeline/interval.h"
#include "timeline/interval_sink.h"

namespace parcast::simulate {

class IntervalLog {
public:
    // Empty intervals are dropped: a thread that is released at the instant at which it blocks did not wait.
    void add(Interval const& interval) {
        if (interval.begin < interval.end)
            intervals_.push_back(interval);
    }
    // By (thread, begin). Cost: O(intervals + threads).
    IntervalColumns columns(std::size_t threads) const;

private:
    std::vector<Interval> intervals_;
};

}  // namespace parcast::simulate
