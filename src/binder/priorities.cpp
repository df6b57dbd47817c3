// Priorities of threads: what the program sets for a thread that the plan ranks changes nothing.

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "binder/planned_process.h"
#include "recorder/real.h"

namespace parcast::binder {
namespace {

using recorder::Real;

PARCAST_REAL Real<decltype(::pthread_setschedparam)> real_thread_set{"pthread_setschedparam"};
PARCAST_REAL Real<decltype(::pthread_setschedprio)> real_thread_set_level{"pthread_setschedprio"};
PARCAST_REAL Real<decltype(::sched_setscheduler)> real_set{"sched_setscheduler"};
PARCAST_REAL Real<decltype(::sched_setparam)> real_set_level{"sched_setparam"};
PARCAST_REAL Real<int(int, id_t, int)> real_setpriority{"setpriority"};
PARCAST_REAL Real<decltype(::nice)> real_nice{"nice"};

bool is_ranked(uint32_t kernel_id) {
    auto const* const state = state_of(kernel_id);
    return state && state->has_priority;
}

bool is_ranked_thread(pthread_t thread) {
    return is_planned() && is_ranked(kernel_id_of(thread));
}

}  // namespace
}  // namespace parcast::binder

using namespace parcast::binder;

PARCAST_HOOK int pthread_setschedparam(pthread_t thread, int policy, sched_param const* parameters) noexcept {
    return is_ranked_thread(thread) ? 0 : real_thread_set(thread, policy, parameters);
}

PARCAST_HOOK int pthread_setschedprio(pthread_t thread, int level) noexcept {
    return is_ranked_thread(thread) ? 0 : real_thread_set_level(thread, level);
}

PARCAST_HOOK int sched_setscheduler(pid_t thread, int policy, sched_param const* parameters) noexcept {
    return is_ranked(static_cast<uint32_t>(thread)) ? 0 : real_set(thread, policy, parameters);
}

PARCAST_HOOK int sched_setparam(pid_t thread, sched_param const* parameters) noexcept {
    return is_ranked(static_cast<uint32_t>(thread)) ? 0 : real_set_level(thread, parameters);
}

PARCAST_HOOK int setpriority(__priority_which_t which, id_t who, int value) noexcept {
    bool const is_void = which == PRIO_PROCESS && is_ranked(static_cast<uint32_t>(who));
    return is_void ? 0 : real_setpriority(static_cast<int>(which), who, value);
}

PARCAST_HOOK int nice(int increment) noexcept {
    return is_ranked(0) ? getpriority(PRIO_PROCESS, 0) : real_nice(increment);
}
