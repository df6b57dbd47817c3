// Writes an execution for Paraver: .prv (records), .pcf (what the numbers mean) and .row (names of threads
// and CPUs), which belong together by their name.
//
// One application with one task, its threads, and one node with the CPUs. A state record an interval, with
// the numbers that Extrae gives to like states, so that usual configurations apply; events at the beginning
// and end of waiting with object and place (value 0: none); a communication of size 0 for each release and
// creation. Records are in time order; at one time states come before events before communications. Names are
// ASCII. Source: "Paraver trace format", Barcelona Supercomputing Center, version 1.
//     #Paraver (DD/MM/YYYY at HH:MM):TIME_ns:1(CPUS):1:1(THREADS:1)
//     1:cpu:1:1:thread:begin:end:state
//     2:cpu:1:1:thread:time:type:value[:type:value]...
//     3:cpu:1:1:thread:sent:sent:cpu:1:1:thread:received:received:size:tag
// Threads and CPUs count from 1, and 0 is no CPU. Cost: O(intervals * log(threads)) time; memory O(threads),
// and all operations of the execution if there are any.

#pragma once

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

void write_paraver_records(Execution const& execution, Output& output);
void write_paraver_labels(Execution const& execution, Output& output);
void write_paraver_names(Execution const& execution, Output& output);

}  // namespace parcast::trace
