// Findings about a recording.

#pragma once

#include <vector>

#include "analysis/survey.h"
#include "answer/finding.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// Says in words what spinning() finds: one finding for all threads that wait at one site in one way.
//
// Yields are certain: a warning if they took more than 1 % of the recording, else a note. Polling and whole
// slices may have another reason: a note.
void add_spin_findings(Timeline const& recorded, Survey const& survey, std::vector<Finding>& result);

// Threads that sleep and look again, by place: a note where the program waits for what they wait for, else a
// warning. Adds them to findings of the recording, worst first.
void add_polling_findings(ThreadProgram const& program, std::vector<Finding>& result);

// What is wrong or doubtful about a recording, so that nobody trusts a prediction that rests on it
// without knowing. Worst first.

// The share of the CPU time from which on the cost of recording is a finding.
inline constexpr double notable_recording_cost = 0.1;

// Looks at all of `recorded` but its events.
std::vector<Finding> findings(Timeline const& recorded, Survey const& survey);
// With its events.
std::vector<Finding> findings(Timeline const& recorded);

}  // namespace parcast::analysis
