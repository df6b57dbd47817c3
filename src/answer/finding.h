// What is wrong or doubtful about a recording, so that nobody trusts a prediction that rests on it without
// knowing.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/id.h"

namespace parcast {

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
    hidden_hand_out,             // one thread did what several may share: analysis/unshared_work.h
    replaced,                    // exec: the program goes on in another recording
    exit_status,                 // the program said that it failed
    further_processes,           // what its children did is in recordings of their own
    cpu_time_grows,              // with the number of threads, on one CPU: answer/cpu_times.h
    hot_locks,                   // several CPUs want a lock at the same moment: forecast/hot_locks.h
    libc_locks,                  // streams that threads share, few arenas: analysis/libc_locks.h
    measured_otherwise,          // than predicted, on several CPUs: answer/measured.h
    sleep_polling,               // threads that sleep and look again: analysis/findings.h
    one_cpu_seen,                // by a library that makes a thread for each: analysis/one_cpu_seen.h
    recorded_wake_ups,           // any other one makes a replay deadlock: forecast/recorded_wake_ups.h
    slower_than_recorded,        // the replay on one CPU: forecast/slower_than_recorded.h
    timed_work,                  // threads that worked until a point in time: analysis/timed_teams.h
    crossed_locks,               // mutexes of many that threads wanted in a circle: forecast/crossed_locks.h
};

inline constexpr std::array finding_names = {"no_events",         "spin_waiting",
                                             "busy_waiting",      "cut_short",
                                             "lost_events",       "killed",
                                             "threads_alive",     "cpu_time_mismatch",
                                             "recording_cost",    "user_space_synchronisation",
                                             "openmp_runtime",    "static_locks",
                                             "clock_fallback",    "kernel_time",
                                             "hidden_hand_out",   "replaced",
                                             "exit_status",       "further_processes",
                                             "cpu_time_grows",    "hot_locks",
                                             "libc_locks",        "measured_otherwise",
                                             "sleep_polling",     "one_cpu_seen",
                                             "recorded_wake_ups", "slower_than_recorded",
                                             "timed_work",        "crossed_locks"};

// As in JSON.
constexpr char const* name_of(FindingKind kind) {
    return finding_names[static_cast<std::size_t>(kind)];
}
static_assert(finding_names.size() == static_cast<std::size_t>(FindingKind::crossed_locks) + 1);

struct Finding {
    FindingKind kind = FindingKind::no_events;
    Severity severity = Severity::warning;
    std::string message;                 // one or two sentences: what, how much, and what to do
    ThreadId thread = ThreadId::none();  // if it concerns one thread
    SiteId site = SiteId::none();
    // Predictions rest on what is wrong, not only on what is doubtful: nothing is concluded from them.
    bool makes_worthless = false;
    // What share of the work may be done by one thread at a time, though nothing that was recorded says so:
    // ranges go down to that.
    double hidden_serial_share = 0;
    // Threads may have to wait less than they did in the recording: ranges go up to a CPU for each that
    // works.
    bool may_wait_less = false;
};

constexpr bool has_finding(std::span<Finding const> findings, FindingKind kind) {
    for (Finding const& finding : findings)
        if (finding.kind == kind)
            return true;
    return false;
}

// The one place that decides whether predictions of this recording have a conclusion.
constexpr bool withholds_conclusions(std::span<Finding const> findings) {
    for (Finding const& finding : findings)
        if (finding.makes_worthless)
            return true;
    return false;
}
inline constexpr char const* withheld_conclusion =
    "Nothing is concluded from these predictions: a warning says why they are wrong.";

}  // namespace parcast
