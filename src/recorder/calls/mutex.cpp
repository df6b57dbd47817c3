// pthread mutexes of every type. EBUSY from the try sends a call on to the real one; every other code
// (EOWNERDEAD: acquired; EDEADLK, EINVAL, ...) is the answer that the real call would give as well.

#include <pthread.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_mutex_init)> real_init{"pthread_mutex_init"};
PARCAST_REAL Real<decltype(pthread_mutex_destroy)> real_destroy{"pthread_mutex_destroy"};
PARCAST_REAL Real<decltype(pthread_mutex_lock)> real_lock{"pthread_mutex_lock"};
PARCAST_REAL Real<decltype(pthread_mutex_trylock)> real_trylock{"pthread_mutex_trylock"};
PARCAST_REAL Real<decltype(pthread_mutex_timedlock)> real_timedlock{"pthread_mutex_timedlock"};
PARCAST_REAL Real<decltype(pthread_mutex_clocklock)> real_clocklock{"pthread_mutex_clocklock"};
PARCAST_REAL Real<decltype(pthread_mutex_unlock)> real_unlock{"pthread_mutex_unlock"};
PARCAST_REAL Real<decltype(pthread_mutexattr_gettype)> real_gettype{"pthread_mutexattr_gettype"};

// The owner of a robust mutex died: the caller holds it, and is told so.
uint64_t lock_flags(int error) {
    return error == EOWNERDEAD ? no_flags : flags_of_error(error);
}

}  // namespace

PARCAST_HOOK int pthread_mutex_init(pthread_mutex_t* mutex, pthread_mutexattr_t const* attributes) noexcept {
    int const error = real_init(mutex, attributes);
    if (Stream* const stream = this_stream()) {
        int type = PTHREAD_MUTEX_DEFAULT;
        if (attributes)
            real_gettype(attributes, &type);
        stream->event<Kind::mutex_init>(mutex, call_site(), flags_of_error(error), type);
    }
    return error;
}

PARCAST_HOOK int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
    return noted<Kind::mutex_destroy>(mutex, [=] { return real_destroy(mutex); });
}

PARCAST_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_lock(mutex);
    stream->settle();
    int const error = real_trylock(mutex);
    if (__builtin_expect(error == EBUSY, 0)) {
        return waited<Kind::mutex_lock, lock_flags>(stream, mutex, call_site(),
                                                    [=] { return real_lock(mutex); });
    }
    stream->event<Kind::mutex_lock>(mutex, call_site(), lock_flags(error));
    return error;
}

PARCAST_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    return noted<Kind::mutex_try_lock, lock_flags>(mutex, [=] { return real_trylock(mutex); });
}

PARCAST_HOOK int pthread_mutex_timedlock(pthread_mutex_t* mutex, timespec const* deadline) noexcept {
    return tried_until<Kind::mutex_timed_lock, lock_flags>(
        mutex, CLOCK_REALTIME, deadline, [=] { return real_trylock(mutex); },
        [=] { return real_timedlock(mutex, deadline); });
}

PARCAST_HOOK int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                         timespec const* deadline) noexcept {
    return tried_until<Kind::mutex_timed_lock, lock_flags>(
        mutex, clock, deadline, [=] { return real_trylock(mutex); },
        [=] { return real_clocklock(mutex, clock, deadline); });
}

PARCAST_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_unlock(mutex);
    Mark const mark = stream->release(mutex, call_site());
    int const error = real_unlock(mutex);
    mark.amend_flags(flags_of_error(error));
    return error;
}

}  // namespace parcast::recorder
