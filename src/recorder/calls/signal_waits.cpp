// Waiting for a signal: a wait for something outside the program, as poll is. A handler that pause or
// sigsuspend lets run is recorded: its first event ends the wait. (In all other calls that wait, events of
// handlers are lost.)

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "recorder/deadline.h"
#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::pause)> real_pause{"pause"};
PARCAST_REAL Real<decltype(::sigsuspend)> real_sigsuspend{"sigsuspend"};
PARCAST_REAL Real<decltype(::sigwait)> real_sigwait{"sigwait"};
PARCAST_REAL Real<decltype(::sigwaitinfo)> real_sigwaitinfo{"sigwaitinfo"};
PARCAST_REAL Real<decltype(::sigtimedwait)> real_sigtimedwait{"sigtimedwait"};

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
    auto const tell = [](int signal) {
        uint64_t const failure = errno == EAGAIN ? wire::flag_timed_out : wire::flag_failed;
        return signal < 0 ? Told{0, failure} : Told{1, no_flags};
    };
    return told_call<Kind::poll>(no_object, [&] { return real(arguments...); }, tell, timeout_ns);
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
    auto const tell = [](int error) { return Told{error == 0 ? 1u : 0u, flags_of_error(error)}; };
    return told_call<parcast::wire::Kind::poll>(
        no_object, [=] { return real_sigwait(signals, signal); }, tell, no_timeout);
}
