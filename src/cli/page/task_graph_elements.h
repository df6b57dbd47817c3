// The data of a report of a task graph: what was computed when it was written, and no simulator.

#pragma once

#include "cli/page/report_elements.h"
#include "core/result.h"
#include "forecast/forecast.h"

namespace parcast::cli {

// `overview` first, then an execution for each schedule and number of CPUs. Errors: those of executed_bytes.
Result<ReportElements> task_graph_elements(forecast::Forecast const& predicted, unsigned workers);

}  // namespace parcast::cli
