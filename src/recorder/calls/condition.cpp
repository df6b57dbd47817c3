// pthread condition variables. A wait always counts as blocked: it gives the mutex up in any case.

#include <pthread.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_cond_init)> real_init{"pthread_cond_init"};
PARCAST_REAL Real<decltype(pthread_cond_destroy)> real_destroy{"pthread_cond_destroy"};
PARCAST_REAL Real<decltype(pthread_cond_wait)> real_wait{"pthread_cond_wait"};
PARCAST_REAL Real<decltype(pthread_cond_timedwait)> real_timedwait{"pthread_cond_timedwait"};
PARCAST_REAL Real<decltype(pthread_cond_clockwait)> real_clockwait{"pthread_cond_clockwait"};
PARCAST_REAL Real<decltype(pthread_cond_signal)> real_signal{"pthread_cond_signal"};
PARCAST_REAL Real<decltype(pthread_cond_broadcast)> real_broadcast{"pthread_cond_broadcast"};

// The clock that pthread_condattr_setclock chose: glibc keeps it in bit 1 of __wrefs (since 2.25).
clockid_t clock_of(pthread_cond_t const* condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace

PARCAST_HOOK int pthread_cond_init(pthread_cond_t* condition, pthread_condattr_t const* attributes) noexcept {
    return noted<Kind::condition_init>(condition, [=] { return real_init(condition, attributes); });
}

PARCAST_HOOK int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_destroy>(condition, call_site(), no_flags);
    return real_destroy(condition);
}

PARCAST_HOOK int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_wait(condition, mutex);
    return waited<Kind::condition_wait>(
        stream, condition, stream->borrowed_site(call_site()), [=] { return real_wait(condition, mutex); },
        reinterpret_cast<uint64_t>(mutex));
}

PARCAST_HOOK int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        timespec const* deadline) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_timedwait(condition, mutex, deadline);
    return waited<Kind::condition_timed_wait>(
        stream, condition, call_site(), [=] { return real_timedwait(condition, mutex, deadline); },
        reinterpret_cast<uint64_t>(mutex), ns_until(clock_of(condition), *deadline));
}

PARCAST_HOOK int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                        timespec const* deadline) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_clockwait(condition, mutex, clock, deadline);
    return waited<Kind::condition_timed_wait>(
        stream, condition, call_site(), [=] { return real_clockwait(condition, mutex, clock, deadline); },
        reinterpret_cast<uint64_t>(mutex), ns_until(clock, *deadline));
}

PARCAST_HOOK int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_signal>(condition, call_site(), no_flags);
    return real_signal(condition);
}

PARCAST_HOOK int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_broadcast>(condition, call_site(), no_flags);
    return real_broadcast(condition);
}

}  // namespace parcast::recorder
