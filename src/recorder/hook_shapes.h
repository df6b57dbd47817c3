// The shapes of hooks for calls that act on an object and return a status: what `flags_of` makes of the
// status is what the event tells. Always inlined, so that call site and stack frame are those of the hook.

#pragma once

#include <errno.h>
#include <time.h>

#include "recorder/deadline.h"
#include "recorder/stream.h"

namespace parcast::recorder {

// The event follows the call.
template <Kind kind, auto flags_of = flags_of_error, class Call, class... Words>
[[gnu::always_inline]] inline auto noted(void const* object, Call call, Words... payload) {
    auto const status = call();
    if (Stream* const stream = this_stream())
        stream->event<kind>(object, call_site(), flags_of(status), payload...);
    return status;
}

// The event precedes the call: others may go on before it returns.
template <Kind kind, auto flags_of = flags_of_error, class Call, class... Words>
[[gnu::always_inline]] inline auto announced(void const* object, Call call, Words... payload) {
    Stream* const stream = this_stream();
    if (!stream)
        return call();
    Mark const mark = stream->event<kind>(object, call_site(), no_flags, payload...);
    auto const status = call();
    mark.amend_flags(flags_of(status));
    return status;
}

// The call waits. `site`: where the host called it.
template <Kind kind, auto flags_of = flags_of_error, class Call, class... Words>
[[gnu::always_inline]] inline int waited(Stream* stream, void const* object, void const* site, Call call,
                                         Words... payload) {
    stream->blocked<kind>(object, site, payload...);
    int const status = call();
    stream->resumed(0, flags_of(status));
    return status;
}

// `attempt` is tried first; the call waits only where that returns `busy`.
template <Kind kind, auto flags_of = flags_of_error, int busy = EBUSY, class Attempt, class Call>
[[gnu::always_inline]] inline int tried(void const* object, Attempt attempt, Call call) {
    Stream* const stream = this_stream();
    if (!stream)
        return call();
    int const status = attempt();
    if (__builtin_expect(status == busy, 0))
        return waited<kind, flags_of>(stream, object, call_site(), call);
    stream->event<kind>(object, call_site(), flags_of(status));
    return status;
}

// The same with a deadline; the event's payload is how long the call may wait.
template <Kind kind, auto flags_of = flags_of_error, int busy = EBUSY, class Attempt, class Call>
[[gnu::always_inline]] inline int tried_until(void const* object, clockid_t clock, timespec const* deadline,
                                              Attempt attempt, Call call) {
    Stream* const stream = this_stream();
    if (!stream)
        return call();
    int const status = attempt();
    if (status == busy)
        return waited<kind, flags_of>(stream, object, call_site(), call, ns_until(clock, *deadline));
    stream->event<kind>(object, call_site(), flags_of(status), 0);
    return status;
}

}  // namespace parcast::recorder
