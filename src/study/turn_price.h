// What it costs the threads of a program to take turns on the one CPU that it is recorded on: the program
// runs there unrecorded, in turn with the kernel's usual time slices and with longer ones.

#pragma once

#include <cstdint>

#include "answer/scale.h"
#include "study/runs.h"
#include "timeline/timeline.h"

namespace parcast::study {

// The cost, or why there is none. None asked for: --no-bare-runs, or nobody takes turns in the prediction
// (one thread, one CPU, a scheduler without slices).
std::optional<Turns> measure_turns(ScaleSetting const& setting, std::uint32_t cpus, Timeline const& recorded);

}  // namespace parcast::study
