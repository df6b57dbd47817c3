// Writers of foreign formats, a function each.

#pragma once

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

// Writes an execution in Chrome's trace event format, as JSON: for speedscope, chrome://tracing and
// everything else that reads it.
//
// Three processes: the program with a slice a state of each thread, its CPUs with a slice a thread, and the
// critical path. Flows lead from a release to the slice that followed; counters tell running and ready
// threads. Slices are pairs of B and E rather than X: readers that add ts and dur as floating-point numbers
// would make neighbours overlap. Each E repeats the name of its B, and every event has a time, since
// speedscope wants it so. Times in µs with three decimals, which is exact. Source: "Trace Event Format",
// Google 2016. Cost: as that for Perfetto.
void write_chrome(Execution const& execution, Output& output);

// Writes an execution as a table for spreadsheets and scripts (RFC 4180): a header, a record a line that ends
// in CR LF, fields in quotes where they need them. Times in ns since the start; what is not known is empty.
//
//     intervals: thread, thread_name, begin_ns, end_ns, duration_ns, state, cpu, object, object_name, place,
//                releaser, releaser_name
//     events:    thread, thread_name, time_ns, operation, object, object_name, other_thread,
//                other_thread_name, place
void write_interval_table(Execution const& execution, Output& output);
// REQUIRES: execution.marks.
void write_event_table(Execution const& execution, Output& output);
//     messages:  from, from_name, to, to_name, bytes, tag, sent_ns, arrived_ns, received_ns, delay, late_ns
void write_message_table(Execution const& execution, Output& output);

// Writes an execution for Paraver: .prv (records), .pcf (what the numbers mean) and .row (names of threads
// and CPUs), which belong together by their name.
//
// One application with one task, its threads, and one node with the CPUs; of a message program a task a rank,
// with the CPUs of its node. A state record an interval, with the numbers that Extrae gives to like states,
// so that usual configurations apply; events at the beginning and end of waiting with object and place (value
// 0: none); a communication of size 0 for each release and creation, or one for each message, with its size
// and tag: logically from the begin of its send to the end of its receive, physically from when the sender's
// processor is done with it to when its first byte is there. Records are in time order; at one time states
// come before events before communications. Names are ASCII. Source: "Paraver trace format", Barcelona
// Supercomputing Center, version 1.
//     #Paraver (DD/MM/YYYY at HH:MM):TIME_ns:NODES(CPUS,..):1:TASKS(THREADS:NODE,..)
//     1:cpu:1:task:thread:begin:end:state
//     2:cpu:1:task:thread:time:type:value[:type:value]...
//     3:cpu:1:task:thread:sent:left:cpu:1:task:thread:received:arrived:size:tag
// Threads and CPUs count from 1, and 0 is no CPU. Cost: O(intervals * log(threads)) time; memory O(threads),
// and all operations of the execution if there are any.
void write_paraver_records(Execution const& execution, Output& output);
void write_paraver_labels(Execution const& execution, Output& output);
void write_paraver_names(Execution const& execution, Output& output);

// Writes an execution for Perfetto (ui.perfetto.dev, trace_processor): its protobuf trace format, as track
// events.
//
// A track a thread with a slice a state, a track a processor with a slice a thread, a track for the critical
// path, counters of running and ready threads, and a flow from the instant of a release to what the released
// thread did next, or from where a message is sent to where it is received. Times in ns since the start of
// the execution; names are written once and then numbered. Source:
// perfetto.dev/docs/reference/synthetic-track-event, messages Trace, TracePacket, TrackDescriptor,
// TrackEvent, InternedData. Cost: time O(intervals * log(intervals)); memory 8 bytes an interval.
void write_perfetto(Execution const& execution, Output& output);

}  // namespace parcast::trace
