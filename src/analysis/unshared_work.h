// The finding about work that one thread did in phases or regions where several may share it:
// uneven_phases.h, uneven_regions.h.

#pragma once

#include <optional>
#include <string>

#include "answer/finding.h"
#include "core/id.h"
#include "core/time.h"

namespace parcast::analysis {

// `seen` says what was seen; `saved`, of the CPU time `all`, goes if the threads share it. None below a
// hundredth; a warning from a tenth, and nothing is concluded from a quarter.
std::optional<Finding> unshared_work(std::string const& seen, Duration saved, Duration all, SiteId site);

}  // namespace parcast::analysis
