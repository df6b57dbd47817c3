// What a thread does over time, as columns: row i says that thread[i] was in state[i] on cpu[i] from
// begin[i] to end[i]. Rows are ordered by (thread, begin).
//
// Invariants: (1) begin <= end; zero-length rows do not occur. (2) The rows of one thread do not
// overlap and leave no gap between its first and its last. (3) Running rows of one processor do not
// overlap, unless the scheduler shares processors (cpu is none then).

#pragma once

#include <cstdint>
#include <vector>

#include "core/id.h"
#include "core/time.h"

namespace parcast {

enum class ThreadState : std::uint8_t {
    running,    // on a processor, doing the program's work
    switching,  // on a processor, overhead of the context switch or of creating a thread
    spinning,   // on a processor, waiting for an object: it has not given up its processor yet
    ready,      // could run, has no processor
    blocked,    // waits for an object or a thread
    sleeping,
    input_output,
    communicating,  // on a processor, which sends or receives a message
};
inline constexpr std::size_t thread_state_count = 8;

char const* name_of(ThreadState state);

constexpr bool is_on_processor(ThreadState state) {
    return state == ThreadState::running || state == ThreadState::switching ||
           state == ThreadState::spinning || state == ThreadState::communicating;
}

struct IntervalColumns {
    std::vector<Instant> begin;
    std::vector<Instant> end;
    std::vector<ThreadId> thread;
    std::vector<CpuId> cpu;  // none unless it is on a processor of its own
    std::vector<ThreadState> state;
    std::vector<ObjectId> object;    // what it waits for; none for join, sleep, running and ready
    std::vector<ThreadId> releaser;  // who ended a blocked or spinning interval; none otherwise
    std::vector<SiteId> site;        // the call that began a blocked, sleeping or I/O interval

    std::size_t size() const { return begin.size(); }
};

}  // namespace parcast
