// Waiting for descriptors to be ready. The object is one of those that are asked for (poll: the first,
// select: the last) or the epoll descriptor; a wait for none of them is a wait for a signal, or a sleep.

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "recorder/deadline.h"
#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

using PollChecked = int(pollfd*, nfds_t, int, size_t);
using PollWithSignalsChecked = int(pollfd*, nfds_t, timespec const*, sigset_t const*, size_t);
using EpollWait2 = int(int, epoll_event*, int, timespec const*, sigset_t const*);

PARCAST_REAL Real<decltype(::poll)> real_poll{"poll"};
PARCAST_REAL Real<decltype(::ppoll)> real_ppoll{"ppoll"};
PARCAST_REAL Real<PollChecked> real_poll_chk{"__poll_chk"};
PARCAST_REAL Real<PollWithSignalsChecked> real_ppoll_chk{"__ppoll_chk"};
PARCAST_REAL Real<decltype(::select)> real_select{"select"};
PARCAST_REAL Real<decltype(::pselect)> real_pselect{"pselect"};
PARCAST_REAL Real<decltype(::epoll_wait)> real_epoll_wait{"epoll_wait"};
PARCAST_REAL Real<decltype(::epoll_pwait)> real_epoll_pwait{"epoll_pwait"};
PARCAST_REAL Real<EpollWait2> real_epoll_pwait2{"epoll_pwait2"};

uint64_t timeout_of(int milliseconds) {
    return milliseconds < 0 ? no_timeout : static_cast<uint64_t>(milliseconds) * 1'000'000;
}
uint64_t timeout_of(timespec const* timeout) {
    return timeout ? duration_ns(*timeout) : no_timeout;
}
uint64_t timeout_of(timeval const* timeout) {
    return timeout ? duration_ns({timeout->tv_sec, timeout->tv_usec * 1'000}) : no_timeout;
}

void const* object_of(pollfd* descriptors, nfds_t count) {
    return count > 0 && descriptors ? descriptor_object(descriptors->fd) : no_object;
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int wait_ready(void const* object, uint64_t timeout_ns, Real<Signature>& real,
                                             Arguments... arguments) {
    auto const tell = [](int ready) {
        return Told{value_of(ready), ready == 0 ? wire::flag_timed_out : failure_of(ready)};
    };
    return told_call<Kind::poll>(object, [&] { return real(arguments...); }, tell, timeout_ns);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int poll(pollfd* descriptors, nfds_t count, int timeout) {
    return wait_ready(object_of(descriptors, count), timeout_of(timeout), real_poll, descriptors, count,
                      timeout);
}
PARCAST_HOOK int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, size_t room) {
    return wait_ready(object_of(descriptors, count), timeout_of(timeout), real_poll_chk, descriptors, count,
                      timeout, room);
}
PARCAST_HOOK int ppoll(pollfd* descriptors, nfds_t count, timespec const* timeout, sigset_t const* mask) {
    return wait_ready(object_of(descriptors, count), timeout_of(timeout), real_ppoll, descriptors, count,
                      timeout, mask);
}
PARCAST_HOOK int __ppoll_chk(pollfd* descriptors, nfds_t count, timespec const* timeout, sigset_t const* mask,
                             size_t room) {
    return wait_ready(object_of(descriptors, count), timeout_of(timeout), real_ppoll_chk, descriptors, count,
                      timeout, mask, room);
}
PARCAST_HOOK int select(int count, fd_set* __restrict readable, fd_set* __restrict writable,
                        fd_set* __restrict exceptional, timeval* __restrict timeout) {
    return wait_ready(descriptor_object(count - 1), timeout_of(timeout), real_select, count, readable,
                      writable, exceptional, timeout);
}
PARCAST_HOOK int pselect(int count, fd_set* __restrict readable, fd_set* __restrict writable,
                         fd_set* __restrict exceptional, timespec const* __restrict timeout,
                         sigset_t const* __restrict mask) {
    return wait_ready(descriptor_object(count - 1), timeout_of(timeout), real_pselect, count, readable,
                      writable, exceptional, timeout, mask);
}
PARCAST_HOOK int epoll_wait(int instance, epoll_event* events, int room, int timeout) {
    return wait_ready(descriptor_object(instance), timeout_of(timeout), real_epoll_wait, instance, events,
                      room, timeout);
}
PARCAST_HOOK int epoll_pwait(int instance, epoll_event* events, int room, int timeout, sigset_t const* mask) {
    return wait_ready(descriptor_object(instance), timeout_of(timeout), real_epoll_pwait, instance, events,
                      room, timeout, mask);
}
PARCAST_HOOK int epoll_pwait2(int instance, epoll_event* events, int room, timespec const* timeout,
                              sigset_t const* mask) {
    return wait_ready(descriptor_object(instance), timeout_of(timeout), real_epoll_pwait2, instance, events,
                      room, timeout, mask);
}
