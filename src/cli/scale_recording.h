// The recording for one number of CPUs, and the prediction from it.

#pragma once

#include "cli/program_streams.h"
#include "cli/progress.h"
#include "cli/scale_command.h"
#include "cli/target_machine.h"
#include "core/result.h"
#include "report/scale_report.h"

namespace parcast::cli {

// What all runs of one `scale` have in common.
struct ScaleSetting {
    ScaleArguments const& arguments;
    forecast::TargetMachine target;
    std::string program;         // its path
    std::vector<unsigned> cpus;  // of this machine, which the program may use
    ProgramStreams streams;
    Progress progress;
};

// Runs the shell command of --before, if there is one. Refuses if it fails.
std::optional<Error> prepare_run(ScaleSetting& setting, std::uint32_t cpus);

// A run that failed: what happened ("ended with status 2"), when, and the last that the program said.
Error failed_run(ScaleSetting const& setting, std::string const& end, std::string const& when);

// Records with `cpus` pretended, and predicts one CPU, `cpus`, and those that it can be compared on here. If
// it is going to be compared, the recording is made on a quiet machine and again if others disturbed it.
Result<report::ScaledCount> record_and_predict(ScaleSetting& setting, std::uint32_t cpus);

}  // namespace parcast::cli
