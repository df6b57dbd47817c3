// What is wrong or doubtful about a recording, so that nobody trusts a prediction that rests on it
// without knowing. Worst first.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/id.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

enum class Severity : std::uint8_t { note, warning };

enum class FindingKind : std::uint8_t {
    no_events,     // nothing but the main thread's end was seen
    spin_waiting,  // threads that wait by yielding or running: analysis/spinning.h
    busy_waiting,  // threads that were seen waiting by running while they were recorded
    cut_short,     // only the beginning of the run was recorded: time limit, size limit, no space
    lost_events,
    killed,                      // the process died by a signal, or no end marker was written
    threads_alive,               // threads that had not ended when the process did
    cpu_time_mismatch,           // attributed CPU time differs from what the system charged
    recording_cost,              // recording took a large part of the CPU time
    user_space_synchronisation,  // futexes of std::atomic and the like: what did not wait is not seen
    openmp_runtime,              // libomp: its regions are not seen; libgomp: which waits are not
    static_locks,                // a runtime whose locks are invisible (Go, Rust's parking_lot, oneTBB, ...)
    clock_fallback,              // the recording had to read the thread clock at every event
    kernel_time,                 // the system's work is a large part: analysis/kernel_time.h
    hidden_hand_out,             // uneven work that ended together: analysis/hidden_hand_outs.h
    replaced,                    // exec: the program goes on in another recording
};

char const* name_of(FindingKind kind);  // "spin_waiting", as in JSON

struct Finding {
    FindingKind kind = FindingKind::no_events;
    Severity severity = Severity::warning;
    std::string message;                 // one or two sentences: what, how much, and what to do
    ThreadId thread = ThreadId::none();  // if it concerns one thread
    SiteId site = SiteId::none();
};

// Of the CPU time, from which on the cost of recording is a finding.
inline constexpr double notable_recording_cost = 0.1;

std::vector<Finding> findings(Timeline const& recorded);

}  // namespace parcast::analysis
