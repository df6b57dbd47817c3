// The program measured unrecorded, for all numbers of CPUs in one interleaved series, and compared with what
// was predicted for it.

#pragma once

#include <optional>
#include <vector>

#include "cli/scale_recording.h"
#include "core/result.h"

namespace parcast::cli {

// Fills in the measurements and comparisons of `counts`. A command with {cpus} is measured for each count on
// one CPU and on as many as it is told, or as there are: the same threads on both. So is a command without it
// whose recordings all have the same number of threads. Another one sees for itself how many CPUs there are:
// it is measured on the counts that there are, and compared with the recording for one CPU.
std::optional<Error> measure_counts(ScaleSetting& setting, std::vector<report::ScaledCount>& counts);

}  // namespace parcast::cli
