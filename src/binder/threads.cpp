// Threads as they are created: by pthread_create, which std::thread and OpenMP call, and by C11's
// thrd_create, which glibc does not build on it.

#include <pthread.h>
#include <threads.h>

#include "binder/planned_process.h"
#include "recorder/real.h"

namespace parcast::binder {
namespace {

using recorder::Real;

PARCAST_REAL Real<decltype(::pthread_create)> real_create{"pthread_create"};
PARCAST_REAL Real<decltype(::thrd_create)> real_c11_create{"thrd_create"};

template <class Routine>
auto run_routine(void* started) {
    auto* const state = static_cast<ThreadState*>(started);
    auto* const routine = reinterpret_cast<Routine*>(state->routine);
    void* const argument = state->argument;
    begin_thread(state);
    return routine(argument);
}

// create(routine, argument) returns 0 if the thread was made.
template <class Routine, class Create>
int create_thread(Routine* routine, void* argument, Create&& create) {
    auto* const started = announce_thread(reinterpret_cast<void*>(routine), argument);
    if (!started)
        return create(routine, argument);
    int const result = create(run_routine<Routine>, started);
    if (result != 0)
        retract_thread(started);
    return result;
}

}  // namespace
}  // namespace parcast::binder

using namespace parcast::binder;

PARCAST_HOOK int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*routine)(void*),
                                void* argument) noexcept {
    return create_thread(routine, argument, [=](void* (*start)(void*), void* with) {
        return real_create(thread, attributes, start, with);
    });
}

static_assert(thrd_success == 0);

PARCAST_HOOK int thrd_create(thrd_t* thread, int (*routine)(void*), void* argument) {
    return create_thread(routine, argument, [=](int (*start)(void*), void* with) {
        return real_c11_create(thread, start, with);
    });
}
