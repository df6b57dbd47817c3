// parcast scale -- PROGRAM ARGS with {cpus}: a recording for each number of CPUs, a prediction from each, and
// how long it really takes where this machine has the CPUs.

#pragma once

#include "cli/predict_command.h"
#include "study/scale.h"

namespace parcast::cli {

class OptionTable;

struct ScaleArguments : study::ScaleQuestion {
    PredictArguments replay;  // on which machine, under which model
    bool json = false;

    friend bool operator==(ScaleArguments const&, ScaleArguments const&) = default;
};

void describe_options(OptionTable& options, ScaleArguments& arguments);

// Returns an exit status.
int scale(ScaleArguments const& arguments);

}  // namespace parcast::cli
