// parcast predict GRAPH: how long a task graph takes on other numbers of CPUs under one or several schedules.

#pragma once

#include "cli/predict_command.h"

namespace parcast::cli {

// Returns an exit status. REQUIRES: the file is that of a task graph.
int predict_task_graph(PredictArguments const& arguments);

}  // namespace parcast::cli
