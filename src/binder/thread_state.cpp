#include "binder/thread_state.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "recorder/system.h"

namespace parcast::binder {

constinit thread_local ThreadState* current_state = nullptr;

namespace {

constinit ThreadState* states = nullptr;

constexpr size_t states_at_once = 32;

bool take(ThreadState& state) {
    uint32_t free = 0;
    return __atomic_load_n(&state.taken, __ATOMIC_RELAXED) == 0 &&
           __atomic_compare_exchange_n(&state.taken, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void put_into_list(ThreadState& state) {
    state.next = __atomic_load_n(&states, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&states, &state.next, &state, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
}

}  // namespace

ThreadState* take_state() {
    for (auto* state = __atomic_load_n(&states, __ATOMIC_ACQUIRE); state; state = state->next)
        if (take(*state))
            return state;
    auto* const fresh = static_cast<ThreadState*>(recorder::map_memory(states_at_once * sizeof(ThreadState)));
    if (!fresh)
        return nullptr;
    fresh->taken = 1;
    for (size_t i = 0; i < states_at_once; ++i)
        put_into_list(fresh[i]);
    return fresh;
}

void give_back(ThreadState* state) {
    __atomic_store_n(&state->kernel_id, 0, __ATOMIC_RELEASE);
    {
        StateLock const lock(*state);  // whoever found it before has done with it
        constexpr size_t kept = offsetof(ThreadState, number);
        memset(reinterpret_cast<char*>(state) + kept, 0, sizeof *state - kept);
    }
    __atomic_store_n(&state->taken, 0, __ATOMIC_RELEASE);
}

ThreadState* find_state(uint32_t kernel_id) {
    for (auto* state = __atomic_load_n(&states, __ATOMIC_ACQUIRE); state; state = state->next)
        if (__atomic_load_n(&state->kernel_id, __ATOMIC_ACQUIRE) == kernel_id)
            return state;
    return nullptr;
}

// The holder may be of a lower real-time level, on the same CPU: only sleeping lets it run.
StateLock::StateLock(ThreadState& state) : state_(state) {
    while (__atomic_exchange_n(&state.lock, 1, __ATOMIC_ACQUIRE) != 0) {
        timespec const pause{0, 20'000};
        recorder::system_call(SYS_nanosleep, recorder::as_word(&pause));
    }
}

}  // namespace parcast::binder
