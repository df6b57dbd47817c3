// What the host set for a thread and the recorder did not execute, since the program stays on its one CPU in
// its ordinary class. Who asks hears it back: programs check what they set.
//
// It lies in the stream of the thread. For a thread that has not begun yet (created, and bound by its creator
// at once) and for other processes it waits in a small table, by the number that the kernel gave them.

#pragma once

#include <stdint.h>

namespace parcast::recorder {

inline constexpr unsigned kept_mask_words = 16;  // as many processors as a cpu_set_t has

struct KeptPolicy {
    bool is_kept = false;
    bool ends_at_fork = false;  // SCHED_RESET_ON_FORK
    int policy = 0;             // SCHED_FIFO, SCHED_RR or SCHED_DEADLINE
    int priority = 0;
    uint64_t budget_ns[3] = {};  // SCHED_DEADLINE: runtime, deadline, period
};

// Threads and processes inherit it from the thread that makes them.
struct KeptScheduling {
    KeptPolicy policy;
    bool has_mask = false;
    uint64_t mask[kept_mask_words] = {};
};

inline KeptScheduling inherited(KeptScheduling kept) {
    if (kept.policy.ends_at_fork)
        kept.policy = {};
    return kept;
}

// By kernel thread number, 0 is the caller. nullptr: nothing is kept, or nothing is recorded.
KeptScheduling const* find_kept(uint32_t kernel_id);
// Where to keep what is set now. REQUIRES: the caller has a stream.
KeptScheduling& kept_for(uint32_t kernel_id);
// In a thread that begins: what was set for it before.
void take_kept_early(uint32_t kernel_id, KeptScheduling& own);

}  // namespace parcast::recorder
