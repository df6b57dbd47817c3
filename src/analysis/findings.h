// What is wrong or doubtful about a recording, so that nobody trusts a prediction that rests on it
// without knowing. Worst first.

#pragma once

#include <vector>

#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// Of the CPU time, from which on the cost of recording is a finding.
inline constexpr double notable_recording_cost = 0.1;

std::vector<Finding> findings(Timeline const& recorded);

}  // namespace parcast::analysis
