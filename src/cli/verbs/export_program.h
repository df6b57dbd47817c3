// parcast export of what was executed, for tools that execute it again: rt-app.

#pragma once

#include <string>

#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/verbs/predict.h"

namespace parcast::cli {

struct ProgramOutput {
    std::string format;  // "rt-app"
    std::string path;    // "-": standard output
    Existing existing = Existing::keep;
    bool json = false;
};

// The program as a prediction replays it: with the conditions that pair as recorded where it would not end
// otherwise. The exit status. REQUIRES: the form of the input is one of replayed_forms.
int export_program(Input input, PredictArguments const& replay, ProgramOutput const& output);

}  // namespace parcast::cli
