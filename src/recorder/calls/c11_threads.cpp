// C11 threads (threads.h). glibc's functions call internal names, so none of these reaches our pthread
// hooks; the objects are pthread objects, which the recording treats alike.

#include <pthread.h>
#include <threads.h>

#include "recorder/calls/once_call.h"
#include "recorder/hook_shapes.h"
#include "recorder/real.h"
#include "recorder/thread_start.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(thrd_create)> real_create{"thrd_create"};
PARCAST_REAL Real<decltype(thrd_join)> real_join{"thrd_join"};
PARCAST_REAL Real<decltype(thrd_detach)> real_detach{"thrd_detach"};
PARCAST_REAL Real<decltype(pthread_tryjoin_np)> real_tryjoin{"pthread_tryjoin_np"};
PARCAST_REAL Real<decltype(mtx_init)> real_mutex_init{"mtx_init"};
PARCAST_REAL Real<decltype(mtx_destroy)> real_mutex_destroy{"mtx_destroy"};
PARCAST_REAL Real<decltype(mtx_lock)> real_lock{"mtx_lock"};
PARCAST_REAL Real<decltype(mtx_trylock)> real_trylock{"mtx_trylock"};
PARCAST_REAL Real<decltype(mtx_timedlock)> real_timedlock{"mtx_timedlock"};
PARCAST_REAL Real<decltype(mtx_unlock)> real_unlock{"mtx_unlock"};
PARCAST_REAL Real<decltype(cnd_init)> real_condition_init{"cnd_init"};
PARCAST_REAL Real<decltype(cnd_destroy)> real_condition_destroy{"cnd_destroy"};
PARCAST_REAL Real<decltype(cnd_wait)> real_wait{"cnd_wait"};
PARCAST_REAL Real<decltype(cnd_timedwait)> real_timedwait{"cnd_timedwait"};
PARCAST_REAL Real<decltype(cnd_signal)> real_signal{"cnd_signal"};
PARCAST_REAL Real<decltype(cnd_broadcast)> real_broadcast{"cnd_broadcast"};
PARCAST_REAL Real<decltype(call_once)> real_call_once{"call_once"};

uint64_t flags_of_result(int result) {
    if (result == thrd_success)
        return no_flags;
    return result == thrd_timedout ? wire::flag_timed_out : wire::flag_failed;
}

int run_thread(void* started) {
    StartRecord const start = begin_thread(started);
    return reinterpret_cast<int (*)(void*)>(start.routine)(start.argument);
}

}  // namespace

PARCAST_HOOK int thrd_create(thrd_t* thread, int (*routine)(void*), void* argument) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_create(thread, routine, argument);
    CreationAttributes const defaults(nullptr);
    return create_thread(
        stream, defaults, routine, argument, call_site(), run_thread,
        [=](int (*start)(void*), void* with) { return real_create(thread, start, with); }, flags_of_result);
}

// A thrd_t is a pthread_t, and the result is what the routine returned, widened to a pointer.
PARCAST_HOOK int thrd_join(thrd_t thread, int* result) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_join(thread, result);
    void* returned = nullptr;
    int const error = real_tryjoin(thread, &returned);
    if (error == 0) {
        if (result)
            *result = static_cast<int>(reinterpret_cast<intptr_t>(returned));
        stream->event<Kind::thread_join>(no_object, call_site(), no_flags, thread);
        return thrd_success;
    }
    return waited<Kind::thread_join, flags_of_result>(
        stream, no_object, call_site(), [=] { return real_join(thread, result); }, thread);
}

PARCAST_HOOK int thrd_detach(thrd_t thread) {
    return announced<Kind::thread_detach, flags_of_result>(
        no_object, [=] { return real_detach(thread); }, thread);
}

PARCAST_HOOK int mtx_init(mtx_t* mutex, int type) {
    return noted<Kind::mutex_init, flags_of_result>(
        mutex, [=] { return real_mutex_init(mutex, type); },
        type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
}

PARCAST_HOOK void mtx_destroy(mtx_t* mutex) {
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_destroy>(mutex, call_site(), no_flags);
    real_mutex_destroy(mutex);
}

PARCAST_HOOK int mtx_lock(mtx_t* mutex) {
    return tried<Kind::mutex_lock, flags_of_result, thrd_busy>(
        mutex, [=] { return real_trylock(mutex); }, [=] { return real_lock(mutex); });
}

PARCAST_HOOK int mtx_trylock(mtx_t* mutex) {
    return noted<Kind::mutex_try_lock, flags_of_result>(mutex, [=] { return real_trylock(mutex); });
}

PARCAST_HOOK int mtx_timedlock(mtx_t* mutex, timespec const* deadline) {
    return tried_until<Kind::mutex_timed_lock, flags_of_result, thrd_busy>(
        mutex, CLOCK_REALTIME, deadline, [=] { return real_trylock(mutex); },
        [=] { return real_timedlock(mutex, deadline); });
}

PARCAST_HOOK int mtx_unlock(mtx_t* mutex) {
    return announced<Kind::mutex_unlock, flags_of_result>(mutex, [=] { return real_unlock(mutex); });
}

PARCAST_HOOK int cnd_init(cnd_t* condition) {
    return noted<Kind::condition_init, flags_of_result>(condition,
                                                        [=] { return real_condition_init(condition); });
}

PARCAST_HOOK void cnd_destroy(cnd_t* condition) {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_destroy>(condition, call_site(), no_flags);
    real_condition_destroy(condition);
}

PARCAST_HOOK int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_wait(condition, mutex);
    return waited<Kind::condition_wait, flags_of_result>(
        stream, condition, call_site(), [=] { return real_wait(condition, mutex); },
        reinterpret_cast<uint64_t>(mutex));
}

PARCAST_HOOK int cnd_timedwait(cnd_t* condition, mtx_t* mutex, timespec const* deadline) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_timedwait(condition, mutex, deadline);
    return waited<Kind::condition_timed_wait, flags_of_result>(
        stream, condition, call_site(), [=] { return real_timedwait(condition, mutex, deadline); },
        reinterpret_cast<uint64_t>(mutex), ns_until(CLOCK_REALTIME, *deadline));
}

PARCAST_HOOK int cnd_signal(cnd_t* condition) {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_signal>(condition, call_site(), no_flags);
    return real_signal(condition);
}

PARCAST_HOOK int cnd_broadcast(cnd_t* condition) {
    if (Stream* const stream = this_stream())
        stream->event<Kind::condition_broadcast>(condition, call_site(), no_flags);
    return real_broadcast(condition);
}

PARCAST_HOOK void call_once(once_flag* flag, void (*routine)()) {
    Stream* const stream = this_stream();
    if (!stream || !stream->accepts_events() || once_is_done(flag))
        return real_call_once(flag, routine);
    OnceCall call = {routine, false, stream->once_call};
    stream->once_call = &call;
    real_call_once(flag, run_once_routine);
    stream->once_call = call.outer;
    stream->event<Kind::once>(flag, call_site(), no_flags, call.ran);
}

}  // namespace parcast::recorder
