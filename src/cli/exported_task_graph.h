// From a task graph to the execution that `export` writes: the schedule of the deterministic model.

#pragma once

#include <tl/expected.hpp>

#include "cli/exported_execution.h"
#include "cli/refusal.h"

namespace parcast::cli {

// REQUIRES: arguments.replay.file is a task graph. Errors: as predict; one number of CPUs and one schedule.
tl::expected<ExportedExecution, Refusal> exported_task_graph(ExportArguments const& arguments);

}  // namespace parcast::cli
