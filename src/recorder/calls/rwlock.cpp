// pthread reader-writer locks. The two sides are written once, over the real functions of a side.

#include <pthread.h>

#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_rwlock_init)> real_init{"pthread_rwlock_init"};
PARCAST_REAL Real<decltype(pthread_rwlock_destroy)> real_destroy{"pthread_rwlock_destroy"};
PARCAST_REAL Real<decltype(pthread_rwlock_rdlock)> real_rdlock{"pthread_rwlock_rdlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_tryrdlock)> real_tryrdlock{"pthread_rwlock_tryrdlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_timedrdlock)> real_timedrdlock{"pthread_rwlock_timedrdlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_clockrdlock)> real_clockrdlock{"pthread_rwlock_clockrdlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_wrlock)> real_wrlock{"pthread_rwlock_wrlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_trywrlock)> real_trywrlock{"pthread_rwlock_trywrlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_timedwrlock)> real_timedwrlock{"pthread_rwlock_timedwrlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_clockwrlock)> real_clockwrlock{"pthread_rwlock_clockwrlock"};
PARCAST_REAL Real<decltype(pthread_rwlock_unlock)> real_unlock{"pthread_rwlock_unlock"};

template <Kind kind, class Try, class Lock>
[[gnu::always_inline]] inline int lock(pthread_rwlock_t* rwlock, void const* site, Try& real_try,
                                       Lock& real) {
    Stream* const stream = this_stream();
    if (!stream)
        return real(rwlock);
    int error = real_try(rwlock);
    if (error != EBUSY) {
        stream->event<kind>(rwlock, site, flags_of_error(error));
        return error;
    }
    stream->blocked<kind>(rwlock, site);
    error = real(rwlock);
    stream->resumed(0, flags_of_error(error));
    return error;
}

template <Kind kind, class Try>
int try_lock(pthread_rwlock_t* rwlock, void const* site, Try& real_try) {
    int const error = real_try(rwlock);
    if (Stream* const stream = this_stream())
        stream->event<kind>(rwlock, site, flags_of_error(error));
    return error;
}

template <Kind kind, class Try, class Lock>
[[gnu::always_inline]] inline int timed_lock(pthread_rwlock_t* rwlock, clockid_t clock,
                                             timespec const* deadline, void const* site, Try& real_try,
                                             Lock&& real) {
    Stream* const stream = this_stream();
    if (!stream)
        return real();
    int error = real_try(rwlock);
    if (error != EBUSY) {
        stream->event<kind>(rwlock, site, flags_of_error(error), 0);
        return error;
    }
    stream->blocked<kind>(rwlock, site, ns_until(clock, *deadline));
    error = real();
    stream->resumed(0, flags_of_error(error));
    return error;
}

}  // namespace

PARCAST_HOOK int pthread_rwlock_init(pthread_rwlock_t* rwlock,
                                     pthread_rwlockattr_t const* attributes) noexcept {
    int const error = real_init(rwlock, attributes);
    if (Stream* const stream = this_stream())
        stream->event<Kind::rwlock_init>(rwlock, call_site(), flags_of_error(error));
    return error;
}

PARCAST_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* rwlock) noexcept {
    int const error = real_destroy(rwlock);
    if (Stream* const stream = this_stream())
        stream->event<Kind::rwlock_destroy>(rwlock, call_site(), flags_of_error(error));
    return error;
}

PARCAST_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* rwlock) noexcept {
    return lock<Kind::rwlock_read>(rwlock, call_site(), real_tryrdlock, real_rdlock);
}

PARCAST_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* rwlock) noexcept {
    return try_lock<Kind::rwlock_try_read>(rwlock, call_site(), real_tryrdlock);
}

PARCAST_HOOK int pthread_rwlock_timedrdlock(pthread_rwlock_t* rwlock, timespec const* deadline) noexcept {
    return timed_lock<Kind::rwlock_timed_read>(rwlock, CLOCK_REALTIME, deadline, call_site(), real_tryrdlock,
                                               [=] { return real_timedrdlock(rwlock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_clockrdlock(pthread_rwlock_t* rwlock, clockid_t clock,
                                            timespec const* deadline) noexcept {
    return timed_lock<Kind::rwlock_timed_read>(rwlock, clock, deadline, call_site(), real_tryrdlock,
                                               [=] { return real_clockrdlock(rwlock, clock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* rwlock) noexcept {
    return lock<Kind::rwlock_write>(rwlock, call_site(), real_trywrlock, real_wrlock);
}

PARCAST_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* rwlock) noexcept {
    return try_lock<Kind::rwlock_try_write>(rwlock, call_site(), real_trywrlock);
}

PARCAST_HOOK int pthread_rwlock_timedwrlock(pthread_rwlock_t* rwlock, timespec const* deadline) noexcept {
    return timed_lock<Kind::rwlock_timed_write>(rwlock, CLOCK_REALTIME, deadline, call_site(), real_trywrlock,
                                                [=] { return real_timedwrlock(rwlock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_clockwrlock(pthread_rwlock_t* rwlock, clockid_t clock,
                                            timespec const* deadline) noexcept {
    return timed_lock<Kind::rwlock_timed_write>(rwlock, clock, deadline, call_site(), real_trywrlock,
                                                [=] { return real_clockwrlock(rwlock, clock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* rwlock) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_unlock(rwlock);
    Mark const mark = stream->event<Kind::rwlock_unlock>(rwlock, call_site(), no_flags);
    int const error = real_unlock(rwlock);
    mark.amend_flags(flags_of_error(error));
    return error;
}

}  // namespace parcast::recorder
