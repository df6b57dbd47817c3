// Affinity, priorities and names of threads, and how many of them the program wants to run at once.
//
// A recorded program stays on its one CPU, so affinity calls are checked and recorded, but not executed.
// Real-time classes are checked and recorded, but not executed either: on one CPU a thread of such a
// class that waits actively would hang the program. Nice values are executed.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recorder/calls/restrictions.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

using SetPriority = int(int, id_t, int);

PARCAST_REAL Real<decltype(::sched_setaffinity)> real_sched_setaffinity{"sched_setaffinity"};
PARCAST_REAL Real<decltype(::pthread_setaffinity_np)> real_pthread_setaffinity_np{"pthread_setaffinity_np"};
PARCAST_REAL Real<decltype(::pthread_attr_setaffinity_np)> real_attr_setaffinity{
    "pthread_attr_setaffinity_np"};
PARCAST_REAL Real<decltype(::pthread_setconcurrency)> real_pthread_setconcurrency{"pthread_setconcurrency"};
PARCAST_REAL Real<decltype(::pthread_setschedparam)> real_pthread_setschedparam{"pthread_setschedparam"};
PARCAST_REAL Real<decltype(::pthread_setschedprio)> real_pthread_setschedprio{"pthread_setschedprio"};
PARCAST_REAL Real<decltype(::sched_setscheduler)> real_sched_setscheduler{"sched_setscheduler"};
PARCAST_REAL Real<decltype(::sched_setparam)> real_sched_setparam{"sched_setparam"};
PARCAST_REAL Real<SetPriority> real_setpriority{"setpriority"};
PARCAST_REAL Real<decltype(::nice)> real_nice{"nice"};
PARCAST_REAL Real<decltype(::pthread_setname_np)> real_pthread_setname_np{"pthread_setname_np"};
PARCAST_REAL Real<int(int, ...)> real_prctl{"prctl"};

// wire::Kind::set_priority
constexpr uint64_t fifo_base = 1000;
constexpr uint64_t turns_base = 2000;

bool is_real_time(int policy) {
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

// As the kernel sees it: 0 or EINVAL. An empty mask names no processor.
int check_mask(size_t size, cpu_set_t const* mask) {
    return CPU_COUNT_S(size, mask) == 0 ? EINVAL : 0;
}

uint64_t first_word(size_t size, cpu_set_t const* mask) {
    uint64_t word = 0;
    memcpy(&word, mask, size < sizeof word ? size : sizeof word);
    return word;
}

// 0, EINVAL or EPERM, as the kernel would answer (sched(7)); capabilities are taken to be root's.
int check_policy(int policy, int priority) {
    bool const is_known = policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
    if (!is_real_time(policy))
        return is_known && priority == 0 ? 0 : EINVAL;
    if (priority < 1 || priority > 99)
        return EINVAL;
    rlimit limit = {};
    bool const is_allowed = geteuid() == 0 || (getrlimit(RLIMIT_RTPRIO, &limit) == 0 &&
                                               limit.rlim_cur >= static_cast<rlim_t>(priority));
    return is_allowed ? 0 : EPERM;
}

// The way of sched_* to report what pthread_* return.
int as_errno(int error) {
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

[[gnu::always_inline]] inline int record_affinity(Stream* stream, uint64_t whose, size_t size,
                                                  cpu_set_t const* mask) {
    int const error = check_mask(size, mask);
    stream->event<Kind::set_affinity>(no_object, call_site(), flags_of_error(error), whose,
                                      first_word(size, mask));
    return error;
}

// In the other classes only the nice value counts.
[[gnu::always_inline]] inline int record_real_time(Stream* stream, uint64_t whose, int policy, int priority) {
    int const error = check_policy(policy, priority);
    if (is_real_time(policy))
        stream->event<Kind::set_priority>(
            no_object, call_site(), flags_of_error(error), whose,
            (policy == SCHED_RR ? turns_base : fifo_base) + static_cast<uint64_t>(priority));
    return error;
}

[[gnu::always_inline]] inline void record_name(uint64_t whose, char const* name) {
    Stream* const stream = this_stream();
    if (!stream)
        return;
    uint64_t words[2] = {};
    memcpy(words, name, strnlen(name, sizeof words - 1));
    stream->event<Kind::set_name>(no_object, call_site(), no_flags, whose, words[0], words[1]);
}

uint64_t handle_of(pthread_t thread) {
    return static_cast<uint64_t>(thread);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int sched_setaffinity(pid_t thread, size_t size, cpu_set_t const* mask) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_sched_setaffinity(thread, size, mask);
    return as_errno(record_affinity(stream, static_cast<uint64_t>(thread), size, mask));
}

PARCAST_HOOK int pthread_setaffinity_np(pthread_t thread, size_t size, cpu_set_t const* mask) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_pthread_setaffinity_np(thread, size, mask);
    return record_affinity(stream, handle_of(thread), size, mask);
}

// The thread does not exist yet, so its affinity is not in the recording; but it must not leave the CPU.
PARCAST_HOOK int pthread_attr_setaffinity_np(pthread_attr_t* attributes, size_t size,
                                             cpu_set_t const* mask) noexcept {
    if (!this_stream() || size == 0)
        return real_attr_setaffinity(attributes, size, mask);
    return check_mask(size, mask);
}

PARCAST_HOOK int sched_setscheduler(pid_t thread, int policy, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    int const plain_policy = policy & ~SCHED_RESET_ON_FORK;
    if (!stream || !parameters || !is_real_time(plain_policy))
        return real_sched_setscheduler(thread, policy, parameters);
    return as_errno(
        record_real_time(stream, static_cast<uint64_t>(thread), plain_policy, parameters->sched_priority));
}

PARCAST_HOOK int pthread_setschedparam(pthread_t thread, int policy, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    if (!stream || !is_real_time(policy))
        return real_pthread_setschedparam(thread, policy, parameters);
    return record_real_time(stream, handle_of(thread), policy, parameters->sched_priority);
}

// A priority above 0 is one of a real-time class, which the thread would be in but for us; which one is
// taken to be SCHED_FIFO.
PARCAST_HOOK int sched_setparam(pid_t thread, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    if (!stream || !parameters || parameters->sched_priority == 0)
        return real_sched_setparam(thread, parameters);
    return as_errno(
        record_real_time(stream, static_cast<uint64_t>(thread), SCHED_FIFO, parameters->sched_priority));
}

PARCAST_HOOK int pthread_setschedprio(pthread_t thread, int priority) noexcept {
    Stream* const stream = this_stream();
    if (!stream || priority == 0)
        return real_pthread_setschedprio(thread, priority);
    return record_real_time(stream, handle_of(thread), SCHED_FIFO, priority);
}

// PRIO_PROCESS alone names a thread: on Linux a nice value belongs to a thread, not to a process.
PARCAST_HOOK int setpriority(__priority_which_t which, id_t who, int value) noexcept {
    int const result = real_setpriority(static_cast<int>(which), who, value);
    Stream* const stream = which == PRIO_PROCESS ? this_stream() : nullptr;
    if (stream)
        stream->event<Kind::set_priority>(no_object, call_site(),
                                          result == 0 ? no_flags : parcast::wire::flag_failed, uint64_t{who},
                                          static_cast<uint64_t>(static_cast<int64_t>(value)));
    return result;
}

// -1 is a nice value, too: only errno tells it from a failure.
PARCAST_HOOK int nice(int increment) noexcept {
    int const host_errno = errno;
    errno = 0;
    int const value = real_nice(increment);
    bool const failed = value == -1 && errno != 0;
    if (!failed)
        errno = host_errno;
    if (Stream* const stream = this_stream())
        stream->event<Kind::set_priority>(no_object, call_site(),
                                          failed ? parcast::wire::flag_failed : no_flags, 0,
                                          static_cast<uint64_t>(static_cast<int64_t>(value)));
    return value;
}

// A no-op on Linux but for its check; under other schedulers it is the number of LWPs.
PARCAST_HOOK int pthread_setconcurrency(int level) noexcept {
    int const error = real_pthread_setconcurrency(level);
    if (Stream* const stream = this_stream())
        stream->event<Kind::set_concurrency>(no_object, call_site(), flags_of_error(error),
                                             static_cast<uint64_t>(static_cast<int64_t>(level)));
    return error;
}

PARCAST_HOOK int pthread_setname_np(pthread_t thread, char const* name) noexcept {
    int const error = real_pthread_setname_np(thread, name);
    if (error == 0)
        record_name(handle_of(thread), name);
    return error;
}

// PR_SET_NAME names the calling thread, and some of the other options restrict it. The kernel takes five
// words.
PARCAST_HOOK int prctl(int option, ...) noexcept {
    va_list rest;
    va_start(rest, option);
    unsigned long words[4];
    for (unsigned long& word : words)
        word = va_arg(rest, unsigned long);
    va_end(rest);
    expect_restriction_by_prctl(option, words[0]);
    int const result = real_prctl(option, words[0], words[1], words[2], words[3]);
    if (option == PR_SET_NAME && result == 0)
        record_name(handle_of(pthread_self()), reinterpret_cast<char const*>(words[0]));
    return result;
}
