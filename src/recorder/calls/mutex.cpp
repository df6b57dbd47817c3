// pthread mutexes of every type. EBUSY from the try sends a call on to the real one; every other code
// (EOWNERDEAD: acquired; EDEADLK, EINVAL, ...) is the answer that the real call would give as well.

#include <pthread.h>

#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_mutex_init)> real_init{"pthread_mutex_init"};
PARCAST_REAL Real<decltype(pthread_mutex_destroy)> real_destroy{"pthread_mutex_destroy"};
PARCAST_REAL Real<decltype(pthread_mutex_lock)> real_lock{"pthread_mutex_lock"};
PARCAST_REAL Real<decltype(pthread_mutex_trylock)> real_trylock{"pthread_mutex_trylock"};
PARCAST_REAL Real<decltype(pthread_mutex_timedlock)> real_timedlock{"pthread_mutex_timedlock"};
PARCAST_REAL Real<decltype(pthread_mutex_clocklock)> real_clocklock{"pthread_mutex_clocklock"};
PARCAST_REAL Real<decltype(pthread_mutex_unlock)> real_unlock{"pthread_mutex_unlock"};

// The owner of a robust mutex died: the caller holds it, and is told so.
uint64_t lock_flags(int error) {
    return error == EOWNERDEAD ? no_flags : flags_of_error(error);
}

template <class RealLock>
int timed_lock(Stream* stream, pthread_mutex_t* mutex, clockid_t clock, timespec const* deadline,
               void const* site, RealLock&& real) {
    int error = real_trylock(mutex);
    if (error != EBUSY) {
        stream->event<Kind::mutex_timed_lock>(mutex, site, lock_flags(error), 0);
        return error;
    }
    stream->blocked<Kind::mutex_timed_lock>(mutex, site, ns_until(clock, *deadline));
    error = real();
    stream->resumed(0, lock_flags(error));
    return error;
}

}  // namespace

PARCAST_HOOK int pthread_mutex_init(pthread_mutex_t* mutex, pthread_mutexattr_t const* attributes) noexcept {
    int const error = real_init(mutex, attributes);
    if (Stream* const stream = this_stream()) {
        int type = PTHREAD_MUTEX_DEFAULT;
        if (attributes)
            pthread_mutexattr_gettype(attributes, &type);
        stream->event<Kind::mutex_init>(mutex, call_site(), flags_of_error(error), type);
    }
    return error;
}

PARCAST_HOOK int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
    int const error = real_destroy(mutex);
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_destroy>(mutex, call_site(), flags_of_error(error));
    return error;
}

PARCAST_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_lock(mutex);
    stream->settle();
    int error = real_trylock(mutex);
    if (__builtin_expect(error != EBUSY, 1)) {
        stream->event<Kind::mutex_lock>(mutex, call_site(), lock_flags(error));
        return error;
    }
    stream->blocked<Kind::mutex_lock>(mutex, call_site());
    error = real_lock(mutex);
    stream->resumed(0, lock_flags(error));
    return error;
}

PARCAST_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    int const error = real_trylock(mutex);
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_try_lock>(mutex, call_site(), lock_flags(error));
    return error;
}

PARCAST_HOOK int pthread_mutex_timedlock(pthread_mutex_t* mutex, timespec const* deadline) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_timedlock(mutex, deadline);
    return timed_lock(stream, mutex, CLOCK_REALTIME, deadline, call_site(),
                      [=] { return real_timedlock(mutex, deadline); });
}

PARCAST_HOOK int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                         timespec const* deadline) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_clocklock(mutex, clock, deadline);
    return timed_lock(stream, mutex, clock, deadline, call_site(),
                      [=] { return real_clocklock(mutex, clock, deadline); });
}

PARCAST_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_unlock(mutex);
    Mark const mark = stream->event<Kind::mutex_unlock>(mutex, call_site(), no_flags);
    int const error = real_unlock(mutex);
    mark.amend_flags(flags_of_error(error));
    return error;
}

}  // namespace parcast::recorder
