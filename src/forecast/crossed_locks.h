// Threads of a replay that wanted mutexes of many in a circle: one of them gave its own back (semantics/
// operations.h, rule 7). Either the program takes other ones there, or it can hang.

#pragma once

#include <optional>
#include <span>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "timeline/run.h"

namespace parcast::forecast {

// A warning about the replay in which that happened most often, that on one CPU included.
std::optional<Finding> crossed_locks(std::span<Run const> runs, Catalogue const& catalogue);

}  // namespace parcast::forecast
