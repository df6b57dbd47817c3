// A replay that cannot go on: which threads wait for what, and who holds it.

#pragma once

#include <span>
#include <string>

#include "report/layout.h"
#include "report/prediction.h"

namespace parcast::report {

// A paragraph for each replay that deadlocks, each after an empty line; one that is stuck as the last one
// before it is takes a single line. Empty if none deadlocks.
std::string deadlocks_text(std::span<PredictedRun const> runs, Catalogue const& catalogue,
                           Layout const& layout);

}  // namespace parcast::report
