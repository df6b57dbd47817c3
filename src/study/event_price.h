// What recording an event takes in this program, where that matters: by how much unrecorded runs are faster.
// The price that the recorder measures in the process is that of calls which follow each other at once, and
// does not know what the program's own code loses beside them.

#pragma once

#include <cstdint>
#include <optional>

#include "answer/scale.h"
#include "study/runs.h"
#include "timeline/timeline.h"

namespace parcast::study {

// The price, or why there is none. Nothing: --no-bare-runs, a recording that took less than a tenth of the
// CPU time, or a program that is not told how many threads to make.
std::optional<EventPrice> measure_event_price(ScaleSetting const& setting, std::uint32_t cpus,
                                              Timeline const& recorded);

}  // namespace parcast::study
