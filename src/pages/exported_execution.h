// What an export contains: one execution, recorded or predicted, for the writers of trace/exports.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/time.h"
#include "forecast/forecast.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"
#include "trace/exports/execution.h"

namespace parcast::pages {

struct ExportedExecution {
    Timeline timeline;      // with intervals
    ThreadProgram program;  // whose operations timeline.arrivals dates; empty: of a recording or a task graph
    std::string title;      // "pigz -p 8 -k big.tar"; of a task graph its name
    std::string setting;    // "8 CPUs", "9 ranks, network meiko-cs2"
    std::string scheduler;  // or the schedule of a task graph; empty if it was recorded
    std::string model;      // "direct" or "strict"; empty if it was recorded, and for task graphs
    std::optional<Instant> deadlock;    // the timeline goes up to there
    std::optional<trace::Ranks> ranks;  // of a program with messages
};

// As it was measured on one CPU. REQUIRES: a recorded timeline.
ExportedExecution recorded_for_export(Timeline recorded);

// REQUIRES: a forecast whose first row has a timeline; of steps the last one, where they overlap.
ExportedExecution predicted_for_export(forecast::Forecast forecast);

enum class Operations : std::uint8_t { absent, present };

// For the writers. Refers to `exported`.
trace::Execution execution_of(ExportedExecution const& exported, Operations operations);

}  // namespace parcast::pages
