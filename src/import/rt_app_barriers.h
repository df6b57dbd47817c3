// Who meets whom at the barriers of a program. rt-app waits for as many as name a barrier in the file, so
// every meeting is a barrier of its own there. Private to the writer.

#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast {

// By barrier (the condition of one that the program built from it) and thread: which of the barrier's
// meetings each of its arrivals is. That is known from the recorded order where it is kept (it is where it is
// of importance), else the n-th arrival of every thread is at the n-th meeting. Threads that never begin do
// not arrive.
using RtAppMeetings = std::map<std::pair<ObjectId, ThreadId>, std::vector<std::uint32_t>>;

// Errors: unsupported, where not as many meet as the barrier waits for. REQUIRES: check(program).
Result<RtAppMeetings> rt_app_meetings(ThreadProgram const& program, std::vector<bool> const& begins);

}  // namespace parcast
