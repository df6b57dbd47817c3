// A replay on one CPU that takes longer than the recorded program needed. That had one CPU, and paid for
// recording, too: so the program does not wait as the replay has it wait.

#pragma once

#include <optional>

#include "answer/answer.h"
#include "answer/finding.h"
#include "core/time.h"
#include "timeline/timeline.h"

namespace parcast::forecast {

// How long the recorded program waited: all that was not CPU time. If it waited for long in timed waits that
// ran out, and other programs had a fifth of the time or more, only while all threads waited: such waits run
// out since others have the CPU. REQUIRES: its events.
Duration waiting_of_the_program(Timeline const& recorded);

// A warning from a twentieth on. None of a program that was written down or changed, or if the replay on one
// CPU deadlocks. REQUIRES: the answer is for the recording's host or one like it.
std::optional<Finding> slower_than_recorded(RecordingBasis const& basis, Duration waited);

}  // namespace parcast::forecast
