// Puts together what `predict` reports: the runs of the simulator, seen through the analyses.

#pragma once

#include <string>
#include <vector>

#include "analysis/findings.h"
#include "cli/replays.h"
#include "cli/target_machine.h"
#include "core/result.h"
#include "program/thread_program.h"
#include "report/prediction.h"
#include "simulate/simulate.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// What a prediction says about the recording that it rests on. The events themselves are not needed any more
// when the program is replayed, and would be most of what is in memory.
struct RecordingSummary {
    std::string file;
    Provenance provenance;
    std::vector<analysis::Finding> findings;
};
RecordingSummary summary_of(std::string const& file, Timeline const& recorded);

// REQUIRES: replays.runs[0] is the replay on one CPU; the others follow in rising number of CPUs. The report
// has those that target.cpus names.
report::Prediction prediction_of(RecordingSummary recorded, ThreadProgram const& program,
                                 TargetMachine const& target, Replays const& replays);

// A prediction with what it was made of, for who replays more of it.
struct PredictedProgram {
    ThreadProgram program;
    Machine machine;  // with any number of CPUs
    simulate::Pairing pairing = simulate::Pairing::any;
    report::Prediction prediction;
};

// Extracts the program of a recording, replays it on one CPU and on each of target.cpus, and puts the answer
// together. Refuses a recording without a program in it. Move the recording in: its events are freed while
// the program is made of them.
Result<PredictedProgram> predict_program(std::string const& file, Timeline recorded,
                                         TargetMachine const& target, ModelName model, unsigned workers,
                                         TasksName tasks, double turn_share = 0);

// The prediction alone. `turn_share`: of the recorded CPU time, what it cost the threads to take turns on the
// one CPU. The linux scheduler charges it turn by turn instead; on one CPU that takes as long.
Result<report::Prediction> predict_recording(std::string const& file, Timeline recorded,
                                             TargetMachine const& target, ModelName model, unsigned workers,
                                             TasksName tasks = TasksName::automatic, double turn_share = 0);

}  // namespace parcast::cli
