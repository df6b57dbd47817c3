// A replay on one CPU that takes longer than the recorded program needed. That had one CPU, and paid for
// recording, too: so the program does not wait as the replay has it wait.

#pragma once

#include <optional>

#include "answer/answer.h"
#include "answer/finding.h"
#include "core/time.h"

namespace parcast::forecast {

// A warning from a twentieth on. `rest`: how long all threads waited in the recording
// (extract/program_time.h); what else there was beside CPU time, other programs had.
// None of a program that was written down or changed, or if the replay on one CPU deadlocks. REQUIRES: the
// answer is for the recording's host or one like it.
std::optional<Finding> slower_than_recorded(RecordingBasis const& basis, Duration rest);

}  // namespace parcast::forecast
