// Writes an execution in Chrome's trace event format, as JSON: for speedscope, chrome://tracing and
// everything else that reads it.
//
// Three processes: the program with a slice a state of each thread, its CPUs with a slice a thread, and the
// critical path. Flows lead from a release to the slice that followed; counters tell running and ready
// threads. Slices are pairs of B and E rather than X: readers that add ts and dur as floating-point numbers
// would make neighbours overlap. Each E repeats the name of its B, and every event has a time, since
// speedscope wants it so. Times in µs with three decimals, which is exact. Source: "Trace Event Format",
// Google 2016. Cost: as perfetto_writer.h.

#pragma once

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

void write_chrome(Execution const& execution, Output& output);

}  // namespace parcast::trace
