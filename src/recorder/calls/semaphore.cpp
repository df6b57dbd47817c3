// POSIX semaphores, unnamed and named.

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(sem_init)> real_init{"sem_init"};
PARCAST_REAL Real<decltype(sem_destroy)> real_destroy{"sem_destroy"};
PARCAST_REAL Real<decltype(sem_open)> real_open{"sem_open"};
PARCAST_REAL Real<decltype(sem_close)> real_close{"sem_close"};
PARCAST_REAL Real<decltype(sem_wait)> real_wait{"sem_wait"};
PARCAST_REAL Real<decltype(sem_trywait)> real_trywait{"sem_trywait"};
PARCAST_REAL Real<decltype(sem_timedwait)> real_timedwait{"sem_timedwait"};
PARCAST_REAL Real<decltype(sem_clockwait)> real_clockwait{"sem_clockwait"};
PARCAST_REAL Real<decltype(sem_post)> real_post{"sem_post"};
PARCAST_REAL Real<decltype(sem_getvalue)> real_getvalue{"sem_getvalue"};

uint64_t flags_of_result(int result) {
    return result == 0 ? no_flags : flags_of_error(errno);
}

// What a wait would return, EBUSY if it must wait. errno stays the host's unless the wait would fail.
int try_first(sem_t* semaphore) {
    int const host_errno = errno;
    if (real_trywait(semaphore) == 0)
        return 0;
    if (errno != EAGAIN)
        return -1;
    errno = host_errno;
    return EBUSY;
}

}  // namespace

PARCAST_HOOK int sem_init(sem_t* semaphore, int shared, unsigned count) noexcept {
    return noted<Kind::semaphore_init, flags_of_result>(
        semaphore, [=] { return real_init(semaphore, shared, count); }, count);
}

PARCAST_HOOK int sem_destroy(sem_t* semaphore) noexcept {
    return noted<Kind::semaphore_destroy, flags_of_result>(semaphore,
                                                           [=] { return real_destroy(semaphore); });
}

PARCAST_HOOK sem_t* sem_open(char const* name, int flags, ...) noexcept {
    mode_t mode = 0;
    unsigned count = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        count = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    sem_t* const semaphore = real_open(name, flags, mode, count);
    Stream* const stream = this_stream();
    if (stream && semaphore != SEM_FAILED) {
        int present = 0;
        real_getvalue(semaphore, &present);
        stream->event<Kind::semaphore_init>(semaphore, call_site(), no_flags, present);
    }
    return semaphore;
}

PARCAST_HOOK int sem_close(sem_t* semaphore) noexcept {
    return noted<Kind::semaphore_destroy, flags_of_result>(semaphore, [=] { return real_close(semaphore); });
}

PARCAST_HOOK int sem_wait(sem_t* semaphore) {
    return tried<Kind::semaphore_wait, flags_of_result>(
        semaphore, [=] { return try_first(semaphore); }, [=] { return real_wait(semaphore); });
}

PARCAST_HOOK int sem_trywait(sem_t* semaphore) noexcept {
    return noted<Kind::semaphore_try_wait, flags_of_result>(semaphore,
                                                            [=] { return real_trywait(semaphore); });
}

PARCAST_HOOK int sem_timedwait(sem_t* semaphore, timespec const* deadline) {
    return tried_until<Kind::semaphore_timed_wait, flags_of_result>(
        semaphore, CLOCK_REALTIME, deadline, [=] { return try_first(semaphore); },
        [=] { return real_timedwait(semaphore, deadline); });
}

PARCAST_HOOK int sem_clockwait(sem_t* semaphore, clockid_t clock, timespec const* deadline) {
    return tried_until<Kind::semaphore_timed_wait, flags_of_result>(
        semaphore, clock, deadline, [=] { return try_first(semaphore); },
        [=] { return real_clockwait(semaphore, clock, deadline); });
}

PARCAST_HOOK int sem_post(sem_t* semaphore) noexcept {
    return announced<Kind::semaphore_post, flags_of_result>(semaphore, [=] { return real_post(semaphore); });
}

}  // namespace parcast::recorder
