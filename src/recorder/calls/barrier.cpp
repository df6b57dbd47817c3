// pthread barriers. Whether an arrival waits is not known before it does: every one counts as blocked.

#include <pthread.h>

#include "recorder/hook_shapes.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_barrier_init)> real_init{"pthread_barrier_init"};
PARCAST_REAL Real<decltype(pthread_barrier_destroy)> real_destroy{"pthread_barrier_destroy"};
PARCAST_REAL Real<decltype(pthread_barrier_wait)> real_wait{"pthread_barrier_wait"};

}  // namespace

PARCAST_HOOK int pthread_barrier_init(pthread_barrier_t* barrier, pthread_barrierattr_t const* attributes,
                                      unsigned participants) noexcept {
    return noted<Kind::barrier_init>(
        barrier, [=] { return real_init(barrier, attributes, participants); }, participants);
}

PARCAST_HOOK int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
    return noted<Kind::barrier_destroy>(barrier, [=] { return real_destroy(barrier); });
}

PARCAST_HOOK int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_wait(barrier);
    stream->blocked<Kind::barrier_wait>(barrier, call_site());
    int const result = real_wait(barrier);
    bool const serial = result == PTHREAD_BARRIER_SERIAL_THREAD;
    // Who arrives last does not wait: it wakes the others.
    if (serial)
        stream->returned(1, no_flags);
    else
        stream->resumed(0, flags_of_error(result));
    return result;
}

}  // namespace parcast::recorder
