// parcast view FILE: a page in the browser that shows a recording's prediction, and replays it as one asks.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/predict_command.h"

namespace parcast::cli {

class OptionTable;
struct GivenOptions;

inline constexpr char const* compared_with_recorded = "recorded";  // of --compare

struct ViewArguments {
    PredictArguments replay;  // the recording, the CPU counts, and how it is replayed
    // A second recording, replayed in the same way; or what was recorded on one CPU.
    std::optional<std::string> compare;
    std::optional<std::string> measured;  // answer of parcast scale --json --measure
    std::optional<std::uint16_t> port;    // absent: the first free one from 8420 up
    bool browser = true;                  // open one, where there is a display
    bool source_text = true;
    bool json = false;

    friend bool operator==(ViewArguments const&, ViewArguments const&) = default;
};

void describe_options(OptionTable& options, ViewArguments& arguments);

// Serves until it is interrupted. Returns an exit status.
int view(ViewArguments const& arguments, GivenOptions const& given);

}  // namespace parcast::cli
