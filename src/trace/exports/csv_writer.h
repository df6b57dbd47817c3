// Writes an execution as a table for spreadsheets and scripts (RFC 4180): a header, a record a line that ends
// in CR LF, fields in quotes where they need them. Times in ns since the start; what is not known is empty.
//
//     intervals: thread, thread_name, begin_ns, end_ns, duration_ns, state, cpu, object, object_name, place,
//                releaser, releaser_name
//     events:    thread, thread_name, time_ns, operation, object, object_name, other_thread,
//     other_thread_name,
//                place

#pragma once

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

void write_interval_table(Execution const& execution, Output& output);
// REQUIRES: execution.marks.
void write_event_table(Execution const& execution, Output& output);

}  // namespace parcast::trace
