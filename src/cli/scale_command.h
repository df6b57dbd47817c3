// parcast scale -- PROGRAM ARGS with {cpus}: a recording for each number of CPUs, a prediction from each, and
// how long it really takes where this machine has the CPUs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/predict_command.h"
#include "core/time.h"

namespace parcast::cli {

class OptionTable;

struct ScaleArguments {
    std::vector<std::string> command;  // {cpus} stands for the number of CPUs
    std::vector<std::uint32_t> cpus{1, 2, 4, 8};
    unsigned runs = 5;  // of each measurement
    bool measure = false;
    bool bare_runs = true;              // the program also runs unrecorded, to see what turns and events cost
    std::optional<std::string> before;  // a shell command, before each run
    std::optional<std::string> keep;    // a folder for the recordings
    Duration time_limit{600'000'000'000};  // of each run
    PredictArguments replay;               // on which machine, under which model
    bool json = false;

    friend bool operator==(ScaleArguments const&, ScaleArguments const&) = default;
};

void describe_options(OptionTable& options, ScaleArguments& arguments);

// Returns an exit status.
int scale(ScaleArguments const& arguments);

}  // namespace parcast::cli
