// From a recording or a task graph to the execution that `export` writes: what was measured, or what is
// predicted for a machine.

#pragma once

#include <optional>
#include <string>

#include "cli/options/given_options.h"
#include "cli/verbs/export.h"
#include "core/result.h"
#include "core/time.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"
#include "trace/exports/execution.h"

namespace parcast::cli {

struct ExportedExecution {
    Timeline timeline;      // with intervals
    ThreadProgram program;  // whose operations timeline.arrivals dates; empty if it was recorded
    std::string command;    // "pigz -p 8 -k big.tar"
    std::string scheduler;  // or schedule of a task graph; empty if it was recorded
    std::string model;      // "direct" or "strict"; empty if it was recorded
    std::string graph;      // form of the file if it is a task graph: "json", "stg"; else empty
    bool with_events = false;
    std::optional<Instant> deadlock;  // the timeline goes up to there
};

// Errors: as predict; unasked (no or several numbers of CPUs or schedules).
Result<ExportedExecution> exported_execution(ExportArguments const& arguments, GivenOptions const& given);

// For the writers. Refers to `exported`.
trace::Execution execution_of(ExportedExecution const& exported);

}  // namespace parcast::cli
