// Futexes behind syscall(2): std::atomic::wait, std::latch, std::barrier, std::counting_semaphore and the
// guards of static variables call it. Every other number is forwarded with all six arguments; those of fork,
// clone, prctl, seccomp and of scheduling are treated as these functions are.

#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/calls/restrictions.h"
#include "recorder/calls/scheduling.h"
#include "recorder/deadline.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::syscall)> real_syscall{"syscall"};

struct Arguments {
    long values[6];
};

long forward(long number, Arguments const& a) {
    return real_syscall(number, a.values[0], a.values[1], a.values[2], a.values[3], a.values[4], a.values[5]);
}

uint64_t flags_of_result(long result) {
    return result >= 0 ? no_flags : flags_of_error(errno);
}

// FUTEX_WAIT takes a duration; FUTEX_WAIT_BITSET a point in time.
uint64_t requested_ns(long operation, timespec const& timeout) {
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return duration_ns(timeout);
    return ns_until(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, timeout);
}

long wait_on_futex(Stream* stream, long number, Arguments const& a, void const* site) {
    auto const* const word = reinterpret_cast<uint32_t const*>(a.values[0]);
    auto const* const timeout = reinterpret_cast<timespec const*>(a.values[3]);
    if (timeout)
        stream->blocked<Kind::futex_timed_wait>(word, site, requested_ns(a.values[1], *timeout));
    else
        stream->blocked<Kind::futex_wait>(word, site);
    long const result = forward(number, a);
    // EAGAIN: the value had changed already, there was nothing to wait for.
    stream->resumed(0, flags_of_result(result));
    return result;
}

// Recorded before the call, since the woken thread may run before the waker returns.
long wake_futex(Stream* stream, long number, Arguments const& a, void const* site) {
    auto const* const word = reinterpret_cast<uint32_t const*>(a.values[0]);
    Mark const mark = stream->event<Kind::futex_wake>(word, site, no_flags, 0);
    long const result = forward(number, a);
    if (result > 0)
        mark.amend_payload(static_cast<uint64_t>(result));
    mark.amend_flags(flags_of_result(result));
    return result;
}

long futex(Stream* stream, long number, Arguments const& a, void const* site) {
    switch (a.values[1] & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET: return wait_on_futex(stream, number, a, site);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET:
        case FUTEX_WAKE_OP:
        case FUTEX_REQUEUE:
        case FUTEX_CMP_REQUEUE: return wake_futex(stream, number, a, site);
        default: return forward(number, a);
    }
}

bool makes_a_process(long number, Arguments const& a) {
    switch (number) {
        case SYS_fork: return true;
        case SYS_clone: return (a.values[0] & CLONE_VM) == 0;
        case SYS_clone3:
            return a.values[0] && (*reinterpret_cast<uint64_t const*>(a.values[0]) & CLONE_VM) == 0;
        default: return false;
    }
}

void expect_restriction(long number, Arguments const& a) {
    if (number == SYS_prctl)
        expect_restriction_by_prctl(static_cast<int>(a.values[0]), static_cast<unsigned long>(a.values[1]));
    else if (number == SYS_seccomp)
        expect_restriction_by_seccomp(static_cast<unsigned>(a.values[0]),
                                      reinterpret_cast<void const*>(a.values[2]));
}

}  // namespace

PARCAST_HOOK long syscall(long number, ...) noexcept {
    va_list list;
    va_start(list, number);
    Arguments a;
    for (long& value : a.values)
        value = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex)
        if (Stream* const stream = this_stream())
            return futex(stream, number, a, call_site());
    if (is_scheduling_call(number))
        if (Stream* const stream = this_stream())
            return call_for_scheduling(stream, number, a.values, call_site());
    expect_restriction(number, a);
    long const result = forward(number, a);
    if (result == 0 && makes_a_process(number, a))
        begin_in_child();
    return result;
}

}  // namespace parcast::recorder
