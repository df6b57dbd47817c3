// parcast view FILE: a page in the browser that shows a recording's prediction, and replays it as one asks.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/predict_command.h"

namespace parcast::cli {

struct ViewArguments {
    PredictArguments replay;             // the recording, the CPU counts, and how it is replayed
    std::optional<std::string> compare;  // a second recording, replayed in the same way
    std::optional<std::uint16_t> port;   // absent: the first free one from 8420 up
    bool browser = true;                 // open one, where there is a display
    bool source_text = true;
    bool json = false;
};

// Serves until it is interrupted. Returns an exit status.
int view(ViewArguments const& arguments);

}  // namespace parcast::cli
