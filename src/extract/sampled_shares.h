// From samples to shares of all work. Most pieces of work are shorter than the time between two samples and
// have none. Pieces between the same two places of the program are of one kind: what the samples in all of
// them say is taken to hold for each. A piece with many samples of its own needs no others.

#pragma once

#include "timeline/timeline.h"

namespace parcast::extract {

// Nothing changes if functions were not sampled. Cost: O(events + shares * log(shares)).
void spread_samples(Timeline& recorded);

}  // namespace parcast::extract
