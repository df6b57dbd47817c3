// One recorded operation of one thread: a library or system call that synchronises, waits, or changes
// how the thread is scheduled, with the CPU time that the thread used before it.
//
// Invariants, per thread: (1) wall_ns is non-decreasing. (2) cpu_ns, cpu_inside_ns and span_ns are >= 0.
// (3) The thread's whole CPU time is the sum of cpu_ns + cpu_inside_ns over its events; the last event
// is thread_end, process_exit, or the end that the reader made up for a thread that was still alive.

#pragma once

#include <cstdint>

#include "core/id.h"

namespace parcast {

enum class EventKind : std::uint8_t {
    thread_begin,  // value: 0
    thread_end,
    thread_create,  // related: the new thread; none if it failed or the child never ran
    thread_join,    // related: the joined thread; outcome tells whether it was joined
    thread_detach,  // related: the detached thread
    lock,
    try_lock,
    timed_lock,
    unlock,     // mutex and spin lock
    read_lock,  // of a lock of the kernel's: value: 1 for a page fault near an earlier one
    try_read_lock,
    timed_read_lock,
    write_lock,
    try_write_lock,
    timed_write_lock,
    read_write_unlock,
    condition_wait,
    timed_condition_wait,  // related_object: the mutex
    condition_signal,
    condition_broadcast,
    barrier_wait,  // value: 1 in the last arriver
    semaphore_wait,
    try_semaphore_wait,
    timed_semaphore_wait,
    semaphore_post,
    once,  // value: 1 if this thread ran the routine
    futex_wait,
    timed_futex_wait,
    futex_wake,  // wake: value = waiters woken
    sleep,       // value: requested ns
    yield,
    input,
    output,
    poll,
    open_close,
    sync,  // descriptor I/O; value = bytes, or ready descriptors
    set_affinity,
    set_priority,  // value: CPU mask of the first 64, or nice / real-time level;
                   // related: whose, none if it is not known
    fork,
    exec,
    spawn,
    wait_child,  // value: child process id
    object_init,
    object_destroy,   // value: initial count, participants or type
    process_exit,     // value: exit status
    set_concurrency,  // value: threads that the program wants to run at once
};
inline constexpr std::size_t event_kind_count = 46;

enum class Outcome : std::uint8_t {
    done,
    failed,  // a try that did not succeed, or an error return: nothing was acquired
    timed_out,
    cut_off,  // the recording ends inside the call, or the thread was cancelled in it; as the outcome of
              // thread_end: still alive when the process ended
};

struct Event {
    std::int64_t wall_ns = 0;  // arrival at the call, ns since the start of the recording
    std::int64_t cpu_ns = 0;   // CPU time of the thread between the end of its previous event and arrival
    std::int64_t span_ns = 0;  // arrival to return, wall time; 0 for calls that did not block and are no I/O
    std::int64_t cpu_inside_ns =
        0;                   // CPU time inside the call (I/O work, the kernel's part of blocking, yielding)
    std::int64_t value = 0;  // by kind, see above; timed waits: requested time in ns
    ObjectId object = ObjectId::none();
    std::uint32_t related = 0xffffffff;  // a ThreadId or ObjectId by kind, all ones for none
    SiteId site = SiteId::none();
    EventKind kind = EventKind::thread_begin;
    Outcome outcome = Outcome::done;
    bool blocked : 1 = false;   // the call did not succeed at once; never for a yield, which stays ready
    bool switched : 1 = false;  // the thread was switched out during cpu_ns
    bool unmeasured : 1 =
        false;  // wall_ns and cpu_ns are what such calls took that were measured (an unlock)

    friend bool operator==(Event const&, Event const&) = default;
};
static_assert(sizeof(Event) == 56);

char const* name_of(EventKind kind);  // "lock", "condition wait", ...

// Calls that acquire a mutex, spin lock or reader-writer lock, if their outcome is done; and those that
// release one. Waiting for a condition, which does both, is neither.
bool acquires_lock(EventKind kind);
bool releases_lock(EventKind kind);

}  // namespace parcast
