// Says in words what spinning() finds: one finding for all threads that wait at one site in one way.
//
// Yields are certain: a warning if they took more than 1 % of the recording, else a note. Polling and whole
// slices may have another reason: a note.

#pragma once

#include <vector>

#include "analysis/findings.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

void add_spin_findings(Timeline const& recorded, std::vector<Finding>& result);

}  // namespace parcast::analysis
