// parcast report FILE: one HTML file that shows a recording's prediction, and replays it, wherever it is
// opened.

#pragma once

#include <optional>
#include <string>

#include "cli/verbs/predict.h"

namespace parcast::cli {

struct ReportArguments {
    PredictArguments replay;              // the recording, the CPU counts, and how it is replayed
    std::optional<std::string> output;    // absent: named after the recording, in the working directory
    std::optional<std::string> measured;  // answer of parcast scale --json --measure
    bool force = false;                   // replace an existing file
    bool source_text = true;
    bool json = false;

    friend bool operator==(ReportArguments const&, ReportArguments const&) = default;
};

}  // namespace parcast::cli
