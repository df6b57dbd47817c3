// pthread reader-writer locks.

#include <pthread.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

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

}  // namespace

PARCAST_HOOK int pthread_rwlock_init(pthread_rwlock_t* rwlock,
                                     pthread_rwlockattr_t const* attributes) noexcept {
    return noted<Kind::rwlock_init>(rwlock, [=] { return real_init(rwlock, attributes); });
}

PARCAST_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* rwlock) noexcept {
    return noted<Kind::rwlock_destroy>(rwlock, [=] { return real_destroy(rwlock); });
}

PARCAST_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* rwlock) noexcept {
    return tried<Kind::rwlock_read>(
        rwlock, [=] { return real_tryrdlock(rwlock); }, [=] { return real_rdlock(rwlock); });
}

PARCAST_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* rwlock) noexcept {
    return noted<Kind::rwlock_try_read>(rwlock, [=] { return real_tryrdlock(rwlock); });
}

PARCAST_HOOK int pthread_rwlock_timedrdlock(pthread_rwlock_t* rwlock, timespec const* deadline) noexcept {
    return tried_until<Kind::rwlock_timed_read>(
        rwlock, CLOCK_REALTIME, deadline, [=] { return real_tryrdlock(rwlock); },
        [=] { return real_timedrdlock(rwlock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_clockrdlock(pthread_rwlock_t* rwlock, clockid_t clock,
                                            timespec const* deadline) noexcept {
    return tried_until<Kind::rwlock_timed_read>(
        rwlock, clock, deadline, [=] { return real_tryrdlock(rwlock); },
        [=] { return real_clockrdlock(rwlock, clock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* rwlock) noexcept {
    return tried<Kind::rwlock_write>(
        rwlock, [=] { return real_trywrlock(rwlock); }, [=] { return real_wrlock(rwlock); });
}

PARCAST_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* rwlock) noexcept {
    return noted<Kind::rwlock_try_write>(rwlock, [=] { return real_trywrlock(rwlock); });
}

PARCAST_HOOK int pthread_rwlock_timedwrlock(pthread_rwlock_t* rwlock, timespec const* deadline) noexcept {
    return tried_until<Kind::rwlock_timed_write>(
        rwlock, CLOCK_REALTIME, deadline, [=] { return real_trywrlock(rwlock); },
        [=] { return real_timedwrlock(rwlock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_clockwrlock(pthread_rwlock_t* rwlock, clockid_t clock,
                                            timespec const* deadline) noexcept {
    return tried_until<Kind::rwlock_timed_write>(
        rwlock, clock, deadline, [=] { return real_trywrlock(rwlock); },
        [=] { return real_clockwrlock(rwlock, clock, deadline); });
}

PARCAST_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* rwlock) noexcept {
    return announced<Kind::rwlock_unlock>(rwlock, [=] { return real_unlock(rwlock); });
}

}  // namespace parcast::recorder
