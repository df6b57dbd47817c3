// Waiting for a signal: a wait for something outside the program, as poll is. A handler that pause or
// sigsuspend lets run is recorded: its first event ends the wait. (In all other calls that wait, events of
// handlers are lost.)

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::pause)> real_pause{"pause"};
PARCAST_REAL Real<decltype(::sigsuspend)> real_sigsuspend{"sigsuspend"};
PARCAST_REAL Real<decltype(::sigwait)> real_sigwait{"sigwait"};
PARCAST_REAL Real<decltype(::sigwaitinfo)> real_sigwaitinfo{"sigwaitinfo"};
PARCAST_REAL Real<decltype(::sigtimedwait)> real_sigtimedwait{"sigtimedwait"};

constexpr uint64_t no_timeout = ~uint64_t{0};

// These return once a handler has run, always with -1 and EINTR, which is how they succeed.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int suspended(Real<Signature>& real, Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream)
        return real(arguments...);
    stream->expect_handler();
    stream->blocked<Kind::poll>(no_object, call_site(), no_timeout);
    int const result = real(arguments...);
    stream->returned(1, no_flags);
    return result;
}

// These take the signal without a handler.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int taken(uint64_t timeout_ns, Real<Signature>& real, Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream)
        return real(arguments...);
    stream->blocked<Kind::poll>(no_object, call_site(), timeout_ns);
    int const signal = real(arguments...);
    bool const timed_out = signal < 0 && errno == EAGAIN;
    uint64_t const failure = timed_out ? wire::flag_timed_out : wire::flag_failed;
    stream->returned(signal < 0 ? 0 : 1, signal < 0 ? failure : no_flags);
    return signal;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int pause() {
    return suspended(real_pause);
}
PARCAST_HOOK int sigsuspend(sigset_t const* mask) {
    return suspended(real_sigsuspend, mask);
}
PARCAST_HOOK int sigwaitinfo(sigset_t const* __restrict signals, siginfo_t* __restrict information) {
    return taken(no_timeout, real_sigwaitinfo, signals, information);
}
PARCAST_HOOK int sigtimedwait(sigset_t const* __restrict signals, siginfo_t* __restrict information,
                              timespec const* __restrict timeout) {
    return taken(timeout ? duration_ns(*timeout) : no_timeout, real_sigtimedwait, signals, information,
                 timeout);
}

// It returns an error number.
PARCAST_HOOK int sigwait(sigset_t const* __restrict signals, int* __restrict signal) {
    Stream* const stream = this_stream();
    if (!stream)
        return real_sigwait(signals, signal);
    stream->blocked<parcast::wire::Kind::poll>(no_object, call_site(), no_timeout);
    int const error = real_sigwait(signals, signal);
    stream->returned(error == 0 ? 1 : 0, flags_of_error(error));
    return error;
}
