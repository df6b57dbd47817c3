// Libraries that make a thread for each CPU that they see, and see one while they are recorded. On more CPUs
// the program has other threads. `record` says so where the program has one thread. Where it has several,
// nothing seems to be missing, though on more CPUs those of the library compete with them: cbc with OpenBLAS
// takes twice to three times as long on two CPUs as on one.

#pragma once

#include <optional>

#include "analysis/survey.h"
#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// A warning if the program saw one CPU, and calls OpenBLAS, as its locks show, had teams of OpenMP of one
// thread for which it did not ask, or has oneTBB and one thread.
std::optional<Finding> one_cpu_seen(Timeline const& recorded, Survey const& survey);

}  // namespace parcast::analysis
