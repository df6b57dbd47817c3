// POSIX threads: creation, joining, detaching. Their end is seen by thread_life.cpp.

#include <pthread.h>

#include "recorder/deadline.h"
#include "recorder/hook_shapes.h"
#include "recorder/real.h"
#include "recorder/thread_start.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_create)> real_create{"pthread_create"};
PARCAST_REAL Real<decltype(pthread_join)> real_join{"pthread_join"};
PARCAST_REAL Real<decltype(pthread_tryjoin_np)> real_tryjoin{"pthread_tryjoin_np"};
PARCAST_REAL Real<decltype(pthread_timedjoin_np)> real_timedjoin{"pthread_timedjoin_np"};
PARCAST_REAL Real<decltype(pthread_clockjoin_np)> real_clockjoin{"pthread_clockjoin_np"};
PARCAST_REAL Real<decltype(pthread_detach)> real_detach{"pthread_detach"};

void* run_thread(void* started) {
    StartRecord const start = begin_thread(started);
    return reinterpret_cast<void* (*)(void*)>(start.routine)(start.argument);
}

// Joins at once if the thread has ended; EBUSY if it must be waited for. The try knows no deadlock, so
// the real call finds it.
template <Kind kind, class RealJoin>
[[gnu::always_inline]] inline int join(pthread_t thread, void** result, void const* site, RealJoin&& real) {
    Stream* const stream = this_stream();
    if (!stream)
        return real();
    void const* const caller = stream->borrowed_site(site);
    int const error = real_tryjoin(thread, result);
    if (error != EBUSY) {
        stream->event<kind>(no_object, caller, flags_of_error(error), thread);
        return error;
    }
    return waited<kind>(stream, no_object, caller, real, thread);
}

}  // namespace

PARCAST_HOOK int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*routine)(void*),
                                void* argument) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_create(thread, attributes, routine, argument);
    CreationAttributes const with(attributes);
    if (with.mask() && CPU_COUNT(with.mask()) == 0)
        return EINVAL;  // as the kernel finds it
    return create_thread(
        stream, with, routine, argument, stream->borrowed_site(call_site()), run_thread,
        [&](void* (*start)(void*), void* with_stream) {
            return real_create(thread, with.attributes(), start, with_stream);
        },
        flags_of_error);
}

PARCAST_HOOK int pthread_join(pthread_t thread, void** result) {
    return join<Kind::thread_join>(thread, result, call_site(), [=] { return real_join(thread, result); });
}

PARCAST_HOOK int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
    return noted<Kind::thread_try_join>(no_object, [=] { return real_tryjoin(thread, result); }, thread);
}

PARCAST_HOOK int pthread_timedjoin_np(pthread_t thread, void** result, timespec const* deadline) {
    return join<Kind::thread_timed_join>(thread, result, call_site(),
                                         [=] { return real_timedjoin(thread, result, deadline); });
}

PARCAST_HOOK int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock,
                                      timespec const* deadline) {
    return join<Kind::thread_timed_join>(thread, result, call_site(),
                                         [=] { return real_clockjoin(thread, result, clock, deadline); });
}

PARCAST_HOOK int pthread_detach(pthread_t thread) noexcept {
    return announced<Kind::thread_detach>(no_object, [=] { return real_detach(thread); }, thread);
}

}  // namespace parcast::recorder
