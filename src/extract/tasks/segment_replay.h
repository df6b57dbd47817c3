// Runs a program of threads with a processor for every thread, without locks, to see which segment waits for
// which. Private to task_graph.cpp.

#pragma once

#include "core/result.h"
#include "extract/tasks/segment_graph.h"
#include "program/thread_program.h"

namespace parcast::extract {

// Errors: inconsistent (threads that wait for what nobody gives).
Result<SegmentGraph> segments_of(ThreadProgram const& program);

}  // namespace parcast::extract
