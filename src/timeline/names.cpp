#include "timeline/event.h"

#include "timeline/provenance.h"

namespace parcast {

char const* name_of(EventKind kind) {
    switch (kind) {
        case EventKind::thread_begin: return "thread begin";
        case EventKind::thread_end: return "thread end";
        case EventKind::thread_create: return "thread create";
        case EventKind::thread_join: return "thread join";
        case EventKind::thread_detach: return "thread detach";
        case EventKind::lock: return "lock";
        case EventKind::try_lock: return "try lock";
        case EventKind::timed_lock: return "timed lock";
        case EventKind::unlock: return "unlock";
        case EventKind::read_lock: return "read lock";
        case EventKind::try_read_lock: return "try read lock";
        case EventKind::timed_read_lock: return "timed read lock";
        case EventKind::write_lock: return "write lock";
        case EventKind::try_write_lock: return "try write lock";
        case EventKind::timed_write_lock: return "timed write lock";
        case EventKind::read_write_unlock: return "read write unlock";
        case EventKind::condition_wait: return "condition wait";
        case EventKind::timed_condition_wait: return "timed condition wait";
        case EventKind::condition_signal: return "condition signal";
        case EventKind::condition_broadcast: return "condition broadcast";
        case EventKind::barrier_wait: return "barrier wait";
        case EventKind::semaphore_wait: return "semaphore wait";
        case EventKind::try_semaphore_wait: return "try semaphore wait";
        case EventKind::timed_semaphore_wait: return "timed semaphore wait";
        case EventKind::semaphore_post: return "semaphore post";
        case EventKind::once: return "once";
        case EventKind::futex_wait: return "futex wait";
        case EventKind::timed_futex_wait: return "timed futex wait";
        case EventKind::futex_wake: return "futex wake";
        case EventKind::sleep: return "sleep";
        case EventKind::yield: return "yield";
        case EventKind::input: return "input";
        case EventKind::output: return "output";
        case EventKind::poll: return "poll";
        case EventKind::open_close: return "open close";
        case EventKind::sync: return "sync";
        case EventKind::set_affinity: return "set affinity";
        case EventKind::set_priority: return "set priority";
        case EventKind::fork: return "fork";
        case EventKind::exec: return "exec";
        case EventKind::spawn: return "spawn";
        case EventKind::wait_child: return "wait child";
        case EventKind::object_init: return "object init";
        case EventKind::object_destroy: return "object destroy";
        case EventKind::process_exit: return "process exit";
        case EventKind::set_concurrency: return "set concurrency";
    }
    return "event";
}

bool acquires_lock(EventKind kind) {
    switch (kind) {
        case EventKind::lock:
        case EventKind::try_lock:
        case EventKind::timed_lock:
        case EventKind::read_lock:
        case EventKind::try_read_lock:
        case EventKind::timed_read_lock:
        case EventKind::write_lock:
        case EventKind::try_write_lock:
        case EventKind::timed_write_lock: return true;
        default: return false;
    }
}

bool releases_lock(EventKind kind) {
    return kind == EventKind::unlock || kind == EventKind::read_write_unlock;
}

char const* name_of(ClockMethod method) {
    switch (method) {
        case ClockMethod::rseq: return "rseq";
        case ClockMethod::perf_page: return "perf page";
        case ClockMethod::thread_clock: return "thread clock";
    }
    return "clock";
}

}  // namespace parcast
