// From a task graph to the execution that `export` writes: the schedule of the deterministic model.

#pragma once

#include "cli/verbs/exported_execution.h"
#include "core/result.h"

namespace parcast::cli {

// REQUIRES: arguments.replay.file is a task graph. Errors: as predict; one number of CPUs and one schedule.
Result<ExportedExecution> exported_task_graph(ExportArguments const& arguments);

}  // namespace parcast::cli
