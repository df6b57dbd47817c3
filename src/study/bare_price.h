// What recording an event took in a program, by further runs of it without the recorder on the same CPU. The
// recorder's own price is that of calls that follow each other at once, with warm caches.

#pragma once

#include "answer/event_price.h"
#include "core/result.h"
#include "record/run.h"
#include "study/memory_sensing.h"

namespace parcast::study {

// The main image gets the price, if that is used. The program runs three more times; what it prints is
// thrown away, whatever else it does it does again. Errors: unasked (CPUs were pretended, functions sampled,
// there is more than one process, nothing was recorded), program_failed (a run did not end as the recorded
// one), those of run_child.
Result<EventPrice> price_by_bare_runs(record::RecordingRequest const& request, record::RecordedRun& run,
                                      RepeatableInput const& input);

}  // namespace parcast::study
