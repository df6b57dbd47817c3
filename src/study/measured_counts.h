// The program measured unrecorded, for all numbers of CPUs in one interleaved series, and compared with what
// was predicted for it.

#pragma once

#include <vector>

#include "core/result.h"
#include "study/runs.h"

namespace parcast::study {

// Fills in the measurements and comparisons of `counts`. A command with {cpus} is measured for each count on
// one CPU and on as many as it is told, or as there are: the same threads on both. So is a command without it
// whose recordings all have the same number of threads. Another one sees for itself how many CPUs there are:
// it is measured on the counts that there are, and compared with the recording for one CPU. Errors:
// program_failed.
Result<void> measure_counts(ScaleSetting const& setting, std::vector<ScaledCount>& counts);

}  // namespace parcast::study
