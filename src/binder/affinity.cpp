// CPUs of threads. Setting those of a thread that the plan binds changes nothing; who asks for them later
// hears what was set.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "binder/planned_process.h"
#include "recorder/real.h"

namespace parcast::binder {
namespace {

using recorder::Real;

PARCAST_REAL Real<decltype(::sched_setaffinity)> real_set{"sched_setaffinity"};
PARCAST_REAL Real<decltype(::pthread_setaffinity_np)> real_thread_set{"pthread_setaffinity_np"};
PARCAST_REAL Real<decltype(::sched_getaffinity)> real_get{"sched_getaffinity"};
PARCAST_REAL Real<decltype(::pthread_getaffinity_np)> real_thread_get{"pthread_getaffinity_np"};

ThreadState* bound_thread(uint32_t kernel_id) {
    auto* const state = state_of(kernel_id);
    return state && state->has_cpu ? state : nullptr;
}

// As the kernel sees it: an empty mask names no CPU.
int keep_mask(ThreadState& state, size_t size, cpu_set_t const* mask) {
    Mask wanted = {};
    memcpy(&wanted, mask, size < mask_bytes ? size : mask_bytes);
    constexpr Mask none = {};
    if (memcmp(&wanted, &none, sizeof none) == 0)
        return EINVAL;
    StateLock const lock(state);
    state.own = usable_cpus(wanted);
    return 0;
}

// After the kernel found the arguments right.
void give_mask(ThreadState& state, size_t size, cpu_set_t* mask) {
    StateLock const lock(state);
    memset(mask, 0, size);
    memcpy(mask, &state.own, size < mask_bytes ? size : mask_bytes);
}

}  // namespace
}  // namespace parcast::binder

using namespace parcast::binder;

PARCAST_HOOK int sched_setaffinity(pid_t thread, size_t size, cpu_set_t const* mask) noexcept {
    auto* const state = mask ? bound_thread(static_cast<uint32_t>(thread)) : nullptr;
    if (!state)
        return real_set(thread, size, mask);
    int const error = keep_mask(*state, size, mask);
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

PARCAST_HOOK int pthread_setaffinity_np(pthread_t thread, size_t size, cpu_set_t const* mask) noexcept {
    auto* const state = mask && is_planned() ? bound_thread(kernel_id_of(thread)) : nullptr;
    return state ? keep_mask(*state, size, mask) : real_thread_set(thread, size, mask);
}

PARCAST_HOOK int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* mask) noexcept {
    int const result = real_get(thread, size, mask);
    auto* const state = result == 0 ? bound_thread(static_cast<uint32_t>(thread)) : nullptr;
    if (state)
        give_mask(*state, size, mask);
    return result;
}

PARCAST_HOOK int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* mask) noexcept {
    int const error = real_thread_get(thread, size, mask);
    auto* const state = error == 0 && is_planned() ? bound_thread(kernel_id_of(thread)) : nullptr;
    if (state)
        give_mask(*state, size, mask);
    return error;
}
