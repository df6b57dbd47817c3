// Threads that synchronise by futexes of their own: std::atomic, Rust's Mutex and others, whose operations
// leave a trace only where they wait.

#pragma once

#include <optional>

#include "analysis/survey.h"
#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// A note that there are some. A warning if threads spend a notable part of their time at one of them whose
// waits do not tell what it does: how long others held it without a wait, and whether another order of the
// threads would have waited at all.
std::optional<Finding> user_space_synchronisation(Timeline const& recorded, Survey const& survey);

}  // namespace parcast::analysis
