// Barriers.
//
// 1. The participants of a barrier are those seen at its initialisation; else waits divided by generations (a
//    generation has one wait that was told to be the last). If that is no whole number, its waits are delays.
// 2. A round is found by time: all of its arrivals are before the first return of one that waited, and an
//    arrival after that is of a later round. (Who did not wait was the last to arrive, or goes on at once and
//    waits elsewhere, as the members of an OpenMP team do at the end of a region.) A recording that was cut
//    off, or of which another process takes part, may have rounds with fewer arrivals than participants.
//    Whoever left such a round waited for an arrival that is not recorded, which is a delay; whoever did not
//    leave it stops there.
// 3. An arrival that was cut off counts in its round: the last to arrive lets the others go before its own
//    call returns.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Cost: O(events), and O(n log n) in the waits of the barriers that may have incomplete rounds.
void plan_barriers(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
