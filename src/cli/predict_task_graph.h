// parcast predict GRAPH: how long a task graph takes on other numbers of CPUs under one or several schedules.

#pragma once

#include "cli/predict_command.h"

namespace parcast::cli {

// Returns an exit status. REQUIRES: the file is that of a task graph.
int predict_task_graph(PredictArguments const& arguments);

// Which of the options is not for the kind of file that it is given with: for a task graph, or for a
// recording.
std::optional<std::string> option_of_recordings(PredictArguments const& arguments);
std::optional<std::string> option_of_task_graphs(PredictArguments const& arguments);

}  // namespace parcast::cli
