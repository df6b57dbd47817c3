// A replay that cannot go on: which threads wait for what, and who holds it.

#pragma once

#include <string>

#include "report/layout.h"
#include "report/prediction.h"

namespace parcast::report {

// REQUIRES: run.deadlock.
std::string deadlock_text(PredictedRun const& run, Catalogue const& catalogue, Layout const& layout);

}  // namespace parcast::report
