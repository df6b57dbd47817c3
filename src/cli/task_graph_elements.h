// The data of a report of a task graph: what was computed when it was written, and no simulator.

#pragma once

#include "cli/predicted_graph.h"
#include "cli/report_elements.h"
#include "core/result.h"

namespace parcast::cli {

// `overview` first, then an execution for each schedule and number of CPUs. Errors: those of executed_bytes.
Result<ReportElements> task_graph_elements(PredictedGraph const& predicted, unsigned workers);

}  // namespace parcast::cli
