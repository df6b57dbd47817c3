// Writes an execution for Perfetto (ui.perfetto.dev, trace_processor): its protobuf trace format, as track
// events.
//
// A track a thread with a slice a state, a track a processor with a slice a thread, a track for the critical
// path, counters of running and ready threads, and a flow from the instant of a release to what the released
// thread did next. Times in ns since the start of the execution; names are written once and then numbered.
// Source: perfetto.dev/docs/reference/synthetic-track-event, messages Trace, TracePacket, TrackDescriptor,
// TrackEvent, InternedData. Cost: time O(intervals * log(intervals)); memory 8 bytes an interval.

#pragma once

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

void write_perfetto(Execution const& execution, Output& output);

}  // namespace parcast::trace
