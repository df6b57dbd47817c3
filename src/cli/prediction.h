// Puts together what `predict` reports: the runs of the simulator, seen through the analyses.

#pragma once

#include <string>

#include <tl/expected.hpp>

#include "cli/host_program.h"
#include "cli/replays.h"
#include "cli/target_machine.h"
#include "program/thread_program.h"
#include "report/prediction.h"
#include "simulate/simulate.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// REQUIRES: replays.runs[0] is the replay on one CPU; the others follow in rising number of CPUs. The report
// has those that target.cpus names.
report::Prediction prediction_of(std::string const& file, Timeline const& recorded, ThreadProgram program,
                                 TargetMachine const& target, Replays const& replays);

// Extracts the program of a recording, replays it on one CPU and on each of target.cpus, and puts the answer
// together. Refuses a recording without a program in it.
tl::expected<report::Prediction, Refusal> predict_recording(std::string const& file, Timeline const& recorded,
                                                            TargetMachine const& target, ModelName model,
                                                            unsigned workers);

}  // namespace parcast::cli
