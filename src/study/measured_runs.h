// Runs a recorded program again, as its user would: without the recorder, on one CPU and on others. What a
// recording on one CPU cannot know shows there (record --measure).

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "record/run.h"
#include "study/memory_sensing.h"
#include "timeline/provenance.h"

namespace parcast::study {

// The program of `run` on one CPU and on each of `cpus`, in turn: three rounds, up to five while the fastest
// runs differ, and none begins after five seconds of runs; a hardware thread of each core first. What it
// prints is thrown away; whatever else it does it does again. Ending signals are for the caller to hold back
// (measure::EndingSignals); they end it early, with an error. Errors: not_recorded (there are not so many
// CPUs), program_failed (the recorded run or one of these ended otherwise than it should), those of
// run_child.
Result<std::vector<MeasuredCpus>> measure_again(record::RecordingRequest const& request,
                                                record::RecordedRun const& run, RepeatableInput const& input,
                                                std::vector<std::uint32_t> const& cpus);

// Whether such measurements can be made at all, before anything runs. Errors: not_recorded.
Result<void> check_measurable(record::RecordingRequest const& request,
                              std::vector<std::uint32_t> const& cpus);

}  // namespace parcast::study
