// How long locks were held, in CPU time of their holders: on one CPU the wall time between acquire and
// release says more about who else ran than about the critical section.
//
// A wait on a condition ends the holding of its mutex, and its return begins another. Nested locks of one
// thread are one holding. What was never released is none.

#pragma once

#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// All holdings of one object.
struct Holding {
    Duration total;
    Duration longest;
};

// By object. Cost: O(events * locks that a thread holds at once) time, no memory but the result.
std::vector<Holding> holdings(Timeline const& recorded);

}  // namespace parcast::analysis
