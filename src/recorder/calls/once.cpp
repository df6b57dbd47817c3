// pthread_once, through which std::call_once goes as well. Our routine stands in for the host's, to learn
// which thread ran it. Calls that find it done already are not recorded: they can wait for nobody, and
// the unwinder makes many of them when a thread is cancelled.

#include <pthread.h>

#include "recorder/calls/once_call.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(pthread_once)> real_once{"pthread_once"};

}  // namespace

void run_once_routine() {
    OnceCall* const call = current_stream->once_call;
    call->ran = true;
    call->routine();
}

// The routine may throw or be cancelled: then the list keeps a call that has ended, and nobody asks for
// it, since a routine runs only after its own call was put in front.
PARCAST_HOOK int pthread_once(pthread_once_t* control, void (*routine)()) {
    Stream* const stream = this_stream();
    if (!stream || !stream->accepts_events() || once_is_done(control))
        return real_once(control, routine);
    OnceCall call = {routine, false, stream->once_call};
    stream->once_call = &call;
    int const error = real_once(control, run_once_routine);
    stream->once_call = call.outer;
    stream->event<Kind::once>(control, call_site(), flags_of_error(error), call.ran);
    return error;
}

}  // namespace parcast::recorder
