// pthread spin locks. On one CPU a spinning thread burns its whole time slice, since the holder cannot
// run meanwhile: ours gives way to the holder between its attempts, so that the wait is a wait and not
// CPU time that the program would not use on the target.

#include <pthread.h>
#include <sched.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_spin_init)> real_init{"pthread_spin_init"};
PARCAST_REAL Real<decltype(pthread_spin_destroy)> real_destroy{"pthread_spin_destroy"};
PARCAST_REAL Real<decltype(pthread_spin_lock)> real_lock{"pthread_spin_lock"};
PARCAST_REAL Real<decltype(pthread_spin_trylock)> real_trylock{"pthread_spin_trylock"};
PARCAST_REAL Real<decltype(pthread_spin_unlock)> real_unlock{"pthread_spin_unlock"};
PARCAST_REAL Real<decltype(sched_yield)> real_yield{"sched_yield"};

void const* address_of(pthread_spinlock_t* lock) {
    return const_cast<int*>(lock);
}

int lock_by_yielding(pthread_spinlock_t* lock) {
    int error = EBUSY;
    while (error == EBUSY) {
        real_yield();
        error = real_trylock(lock);
    }
    return error;
}

}  // namespace

PARCAST_HOOK int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
    return noted<Kind::spin_init>(address_of(lock), [=] { return real_init(lock, shared); });
}

PARCAST_HOOK int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
    return noted<Kind::spin_destroy>(address_of(lock), [=] { return real_destroy(lock); });
}

PARCAST_HOOK int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
    if (!this_stream())
        return real_lock(lock);
    return tried<Kind::spin_lock>(
        address_of(lock), [=] { return real_trylock(lock); }, [=] { return lock_by_yielding(lock); });
}

PARCAST_HOOK int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
    return noted<Kind::spin_try_lock>(address_of(lock), [=] { return real_trylock(lock); });
}

PARCAST_HOOK int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
    if (Stream* const stream = this_stream())
        stream->event<Kind::spin_unlock>(address_of(lock), call_site(), no_flags);
    return real_unlock(lock);
}

}  // namespace parcast::recorder
