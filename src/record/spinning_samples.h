// Threads that wait by running, by samples: those of their CPU time that fell into loops with PAUSE.

#pragma once

#include "record/sampler.h"
#include "timeline/timeline.h"
#include "wire/record.h"

namespace parcast::record {

// Adds a BusyWait, and a site without a name, for each thread that was met there by more than one sample in a
// hundred, and more than once.
void add_spinning(Samples const& samples, wire::Header const& header, Timeline& recorded);

}  // namespace parcast::record
