// What the binder knows of a thread of the host program. States are never given back to the system, and are
// used again; so whoever looks for a thread by its kernel id walks a list that only grows.

#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/plan_table.h"

namespace parcast::binder {

inline constexpr size_t mask_bytes = wire::plan_mask_words * sizeof(uint64_t);

struct Mask {
    uint64_t words[wire::plan_mask_words];
};

struct ThreadState {
    ThreadState* next;   // of all
    uint32_t taken;      // atomic
    uint32_t lock;       // atomic; of what follows, as another thread may name this one
    uint32_t kernel_id;  // atomic; 0: it does not run yet

    uint32_t number;
    uint32_t created;  // threads, by this one
    uint32_t end_rounds;
    bool was_named;
    char name_before[16];              // that it got from its creator
    char path[wire::plan_text_bytes];  // "0.2.1"; empty: too long

    // The CPUs and the nice value that it would have without the plan, where they are known.
    Mask own;
    bool knows_own;
    bool is_displaced;  // it is bound elsewhere
    bool has_cpu;       // by the plan
    bool has_priority;  // by the plan
    bool has_nice;      // that the plan gave it, or its creator
    int32_t own_nice;
    uint32_t cpu;

    void* routine;
    void* argument;
};

extern constinit thread_local ThreadState* current_state;

// Zeroed but for its place in the list; null: there is no memory.
ThreadState* take_state();
void give_back(ThreadState* state);
// Null: no thread of that id is known.
ThreadState* find_state(uint32_t kernel_id);

class StateLock {
public:
    explicit StateLock(ThreadState& state);
    StateLock(StateLock const&) = delete;
    StateLock& operator=(StateLock const&) = delete;
    ~StateLock() { __atomic_store_n(&state_.lock, 0, __ATOMIC_RELEASE); }

private:
    ThreadState& state_;
};

}  // namespace parcast::binder
