// POSIX semaphores, unnamed and named.

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/stream.h"

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

uint64_t flags_of_result(int result) {
    return result == 0 ? no_flags : flags_of_error(errno);
}

enum class Try { acquired, failed, must_wait };

// What a wait would do. errno stays the host's unless the wait would fail.
Try try_first(sem_t* semaphore) {
    int const host_errno = errno;
    if (real_trywait(semaphore) == 0)
        return Try::acquired;
    if (errno != EAGAIN)
        return Try::failed;
    errno = host_errno;
    return Try::must_wait;
}

int result_of(Try outcome) {
    return outcome == Try::acquired ? 0 : -1;
}

template <class RealWait>
[[gnu::always_inline]] inline int timed_wait(sem_t* semaphore, clockid_t clock, timespec const* deadline,
                                             void const* site, RealWait&& real) {
    Stream* const stream = this_stream();
    if (!stream)
        return real();
    Try const outcome = try_first(semaphore);
    if (outcome != Try::must_wait) {
        stream->event<Kind::semaphore_timed_wait>(semaphore, site, flags_of_result(result_of(outcome)), 0);
        return result_of(outcome);
    }
    stream->blocked<Kind::semaphore_timed_wait>(semaphore, site, ns_until(clock, *deadline));
    int const result = real();
    stream->resumed(0, flags_of_result(result));
    return result;
}

}  // namespace

PARCAST_HOOK int sem_init(sem_t* semaphore, int shared, unsigned count) noexcept {
    int const result = real_init(semaphore, shared, count);
    if (Stream* const stream = this_stream())
        stream->event<Kind::semaphore_init>(semaphore, call_site(), flags_of_result(result), count);
    return result;
}

PARCAST_HOOK int sem_destroy(sem_t* semaphore) noexcept {
    int const result = real_destroy(semaphore);
    if (Stream* const stream = this_stream())
        stream->event<Kind::semaphore_destroy>(semaphore, call_site(), flags_of_result(result));
    return result;
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
        sem_getvalue(semaphore, &present);
        stream->event<Kind::semaphore_init>(semaphore, call_site(), no_flags, present);
    }
    return semaphore;
}

PARCAST_HOOK int sem_close(sem_t* semaphore) noexcept {
    int const result = real_close(semaphore);
    if (Stream* const stream = this_stream())
        stream->event<Kind::semaphore_destroy>(semaphore, call_site(), flags_of_result(result));
    return result;
}

PARCAST_HOOK int sem_wait(sem_t* semaphore) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_wait(semaphore);
    Try const outcome = try_first(semaphore);
    if (outcome != Try::must_wait) {
        stream->event<Kind::semaphore_wait>(semaphore, call_site(), flags_of_result(result_of(outcome)));
        return result_of(outcome);
    }
    stream->blocked<Kind::semaphore_wait>(semaphore, call_site());
    int const result = real_wait(semaphore);
    stream->resumed(0, flags_of_result(result));
    return result;
}

PARCAST_HOOK int sem_trywait(sem_t* semaphore) noexcept {
    int const result = real_trywait(semaphore);
    if (Stream* const stream = this_stream())
        stream->event<Kind::semaphore_try_wait>(semaphore, call_site(), flags_of_result(result));
    return result;
}

PARCAST_HOOK int sem_timedwait(sem_t* semaphore, timespec const* deadline) {
    return timed_wait(semaphore, CLOCK_REALTIME, deadline, call_site(),
                      [=] { return real_timedwait(semaphore, deadline); });
}

PARCAST_HOOK int sem_clockwait(sem_t* semaphore, clockid_t clock, timespec const* deadline) {
    return timed_wait(semaphore, clock, deadline, call_site(),
                      [=] { return real_clockwait(semaphore, clock, deadline); });
}

PARCAST_HOOK int sem_post(sem_t* semaphore) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_post(semaphore);
    Mark const mark = stream->event<Kind::semaphore_post>(semaphore, call_site(), no_flags);
    int const result = real_post(semaphore);
    mark.amend_flags(flags_of_result(result));
    return result;
}

}  // namespace parcast::recorder
