// Puts together what `predict` reports: the runs of the simulator, seen through the analyses.

#pragma once

#include <string>

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

}  // namespace parcast::cli
