// Where the time of an execution went, in totals: the summary that every simulated run yields, with or
// without a timeline.
//
// Conservation, exact in integer nanoseconds (laws 1 and 2 are checked by tests on every run):
// (1) processors: busy + slowed + spinning + overhead + communicating + idle = cpus * completion.
// (2) each thread: the times in its states sum to ended - created.
//
// Idle processor time is charged to the threads that could have used it: at an instant with i idle
// processors and w threads that are ready or wait, each of these is charged i/w of the time, at most 1.
// What remains, because fewer threads than idle processors exist, is charged to `no_thread`.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/interval.h"

namespace parcast {

struct ThreadAccount {
    Instant created;
    Instant ended;
    std::array<Duration, thread_state_count> in_state{};  // in_state[ThreadState]
    std::int64_t turns = 0;  // it lost its processor to another thread at the end of a time slice

    Duration operator[](ThreadState state) const { return in_state[static_cast<std::size_t>(state)]; }
    Duration& operator[](ThreadState state) { return in_state[static_cast<std::size_t>(state)]; }
};

struct ObjectAccount {
    std::int64_t operations = 0;          // acquisitions, waits, posts, signals, I/O calls
    std::int64_t blocked_operations = 0;  // of these, how many made the caller wait
    Duration waiting;                     // sum over threads
    Duration idle_processors;             // idle processor time charged to waiting for this object
    Duration spinning;                    // processor time, of `waiting`
};

// Idle processor time by what the charged threads were doing.
struct IdleAccount {
    Duration ready;       // a thread was ready: wake-up latency, affinity or placement kept it off
    Duration locks;       // mutexes, spin and reader-writer locks
    Duration conditions;  // conditions, semaphores, barriers, futexes
    Duration input_output;
    Duration sleeping;
    Duration joining;    // waits for another thread to end
    Duration no_thread;  // fewer threads existed than processors
    Duration carrier;    // a thread was ready, but had no LWP to run on
    Duration message;    // a rank waits: for a message, its receive, or the interface to the network

    Duration total() const {
        return ready + locks + conditions + input_output + sleeping + joining + no_thread + carrier + message;
    }
};

struct Accounts {
    std::uint32_t cpus = 1;
    Duration completion;     // end of the last thread
    Duration busy;           // processors doing the program's work, at the speed of one alone
    Duration slowed;         // what that work took longer because other processors were busy
    Duration spinning;       // processors on which threads waited without giving them up
    Duration overhead;       // processors switching, creating threads, waking
    Duration communicating;  // processors sending and receiving messages
    IdleAccount idle;
    std::vector<ThreadAccount> threads;  // by ThreadId
    std::vector<ObjectAccount> objects;  // by ObjectId
    std::int64_t operations = 0;         // executed
    std::int64_t context_switches = 0;
    std::int64_t migrations = 0;  // a thread resumed on another processor than it last used

    // The longest chain of causes that ends at the completion: its CPU time and its waiting time.
    // In a run with a processor for every thread and no costs this is the span (critical path).
    Duration path_busy;
};

}  // namespace parcast
