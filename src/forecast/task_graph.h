// How long a task graph takes under each schedule on each number of CPUs.

#pragma once

#include <string>

#include "answer/question.h"
#include "core/result.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

// The machine's policy counts if the question names no schedule. REQUIRES: the graph passes its check;
// question.cpus is not empty. Errors: unasked (a schedule that there is not, or that the graph says too
// little for), those of the law of contention.
Result<Forecast> forecast_task_graph(std::string const& file, ImportedGraph imported,
                                     TargetMachine const& target, Question const& question);

}  // namespace parcast::forecast
