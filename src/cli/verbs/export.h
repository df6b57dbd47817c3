// parcast export FILE: writes the predicted or the recorded execution for other tools.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/verbs/predict.h"

namespace parcast::cli {

enum class ExportFormat : std::uint8_t { perfetto, chrome, paraver, csv };

struct ExportArguments {
    PredictArguments replay;  // file, CPUs (one count), scheduler, machine, model, tasks
    ExportFormat format = ExportFormat::perfetto;
    std::optional<std::string>
        output;             // "-": standard output; absent: NAME.8cpus.ENDING in the working directory
    bool recorded = false;  // what was measured, not what is predicted
    bool events = false;    // every operation, too
    bool force = false;     // replace existing files
    bool json = false;

    friend bool operator==(ExportArguments const&, ExportArguments const&) = default;
};

}  // namespace parcast::cli
