// Sleeping and yielding.

#include <errno.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <type_traits>

#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::nanosleep)> real_nanosleep{"nanosleep"};
PARCAST_REAL Real<decltype(::clock_nanosleep)> real_clock_nanosleep{"clock_nanosleep"};
PARCAST_REAL Real<decltype(::usleep)> real_usleep{"usleep"};
PARCAST_REAL Real<decltype(::sleep)> real_sleep{"sleep"};
PARCAST_REAL Real<decltype(::thrd_sleep)> real_thrd_sleep{"thrd_sleep"};
PARCAST_REAL Real<decltype(::sched_yield)> real_sched_yield{"sched_yield"};
PARCAST_REAL Real<decltype(::thrd_yield)> real_thrd_yield{"thrd_yield"};

// All of these return 0 after a whole sleep.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto slept(uint64_t requested_ns, Real<Signature>& real,
                                         Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream)
        return real(arguments...);
    stream->blocked<Kind::sleep>(no_object, call_site(), requested_ns);
    auto const result = real(arguments...);
    stream->resumed(0, result == 0 ? no_flags : wire::flag_failed);
    return result;
}

// As a call that waits: the kernel's part of a switch belongs to the call, not to what the thread does next.
// Most yields of a program that spins switch nothing; then no clock is read.
template <class Signature>
[[gnu::always_inline]] inline auto yielded(Real<Signature>& real_function) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_function();
    bool const lets_others_run = stream->next_yield_lets_others_run();
    stream->blocked<Kind::yield>(no_object, call_site());
    auto const real = [&] { return lets_others_run ? real_function() : decltype(real_function())(); };
    if constexpr (std::is_void_v<decltype(real())>) {
        real();
        stream->returned(0, no_flags);
        stream->end_yield();
    } else {
        auto const result = real();
        stream->returned(0, result == 0 ? no_flags : wire::flag_failed);
        stream->end_yield();
        return result;
    }
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int nanosleep(timespec const* duration, timespec* remaining) {
    return slept(duration ? duration_ns(*duration) : 0, real_nanosleep, duration, remaining);
}

PARCAST_HOOK int clock_nanosleep(clockid_t clock, int flags, timespec const* time, timespec* remaining) {
    uint64_t requested_ns = 0;
    if (time)
        requested_ns = flags & TIMER_ABSTIME ? ns_until(clock, *time) : duration_ns(*time);
    return slept(requested_ns, real_clock_nanosleep, clock, flags, time, remaining);
}

PARCAST_HOOK int usleep(useconds_t microseconds) {
    return slept(uint64_t{microseconds} * 1'000, real_usleep, microseconds);
}

PARCAST_HOOK unsigned sleep(unsigned seconds) {
    return slept(uint64_t{seconds} * 1'000'000'000, real_sleep, seconds);
}

PARCAST_HOOK int thrd_sleep(timespec const* duration, timespec* remaining) {
    return slept(duration ? duration_ns(*duration) : 0, real_thrd_sleep, duration, remaining);
}

PARCAST_HOOK int sched_yield() noexcept {
    return yielded(real_sched_yield);
}

// Only old programs refer to it: it is sched_yield.
PARCAST_HOOK int pthread_yield() noexcept {
    return yielded(real_sched_yield);
}

PARCAST_HOOK void thrd_yield() {
    yielded(real_thrd_yield);
}
