// What bytes the recorder leaves: the raw recording of one process image. Header only and freestanding:
// written by the recorder (which links nothing but libc), read by src/trace.
//
//     file  = Header (one page), then chunks of whole pages, in order of allocation
//     chunk = ChunkHeader, then 8-byte words (events) or bytes (text)
//
// A page where a chunk would begin, but whose ChunkKind is unused, belongs to none: the next one is looked
// at. So a process killed before it wrote the header of a chunk hides no other chunk.
//
// An event chunk belongs to one stream. A stream is a slot that threads occupy one after the other: a
// thread's events run from `thread_begin` to `thread_end`, and the stream keeps its chunk and its slot
// tables in between, so that a thread that lives for ten events costs ten words and no new chunk. The
// chunks of a stream are read in the order of ChunkHeader::sequence; the first zero word where an event
// is expected, or the end of the chunk, ends a chunk.
//
// One word is one event, its payload words (payload_words) follow it. The recorder stores the payload
// first and the event word last, so a process killed at any instruction leaves whole events.
//
//     63        54 53        44 43  40 39   32 31                0
//     | site slot | object slot | flags | kind  | delta in ticks  |
//
// The delta counts from the previous event word of the stream, 0 for define_* words, `stack_time` and
// `run_delay`; a delta that does not fit is 0 after a `time_base`. Slot 0 means "none". A slot is bound to an
// address by define_object or define_site; a later definition replaces it.
//
// A call that blocked is two events of one thread: its own kind with flag_blocked at arrival, and
// `resumed` at return. Between them nothing but cpu_sync, time_base and run_delay words occur. A `resumed`
// with flag_switched says that the thread waited in the call, and that its CPU clock was not read: what the
// call took is part of what the next cpu_sync shows.
//
// A `run_delay` with flag_blocked, at the return of a call, follows another one of its thread: the thread was
// ready for as long as the two differ while it was in the call, and had no CPU, since others ran.
//
// A lock that did not wait and its release may be one word, `mutex_lock_unlock`, at the time of the lock: the
// release is not measured, and nothing was recorded between the two calls. The call site of the release, and
// the time until it, are those of measured releases: whose word follows that of their lock at once, in the
// same chunk, with the lock's call site in the same slot since the slot was defined. There was one before.
//
// Programs built with -finstrument-functions: a stack is a function and the stack that called it. Stacks have
// numbers of their own in each stream; 0 is "in no such function". `stack_time` words between two events say
// what of the CPU time between them was spent in which function itself; the last one before an event is the
// stack that made the call. One with flag_switched follows a cpu_sync, and means all that the words since the
// event before leave of the CPU time up to there.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace parcast::wire {

inline constexpr uint64_t magic = 0x01776172'74736370;  // "pcstraw" and 1, little endian
inline constexpr uint32_t version = 7;
inline constexpr size_t page_bytes = 4096;
inline constexpr size_t header_bytes = page_bytes;
inline constexpr uint16_t most_chunk_pages = 16;
inline constexpr unsigned slot_count = 1024;  // of objects and of sites, per stream; slot 0 is none

enum class Kind : uint8_t {
    none = 0,
    // bookkeeping
    define_object,  // payload: address; the slot is in the object field
    define_site,    // payload: return address; the slot is in the site field
    time_base,      // payload: absolute ticks
    cpu_sync,       // payload: CPU clock of the thread in ns at this word's tick; flag_switched
    resumed,        // payload: result (bytes, waiters, ...), by the kind that blocked
    // threads
    thread_begin,  // payload: thread number, start routine, pthread_t, kernel thread id
    thread_state,  // payload: 4 words of a std::thread state object: the callable is among them
    thread_end,
    thread_create,      // after the call; payload: thread number of the child, start routine
    thread_join,        // payload: pthread_t
    thread_try_join,    // payload: pthread_t
    thread_timed_join,  // payload: pthread_t
    thread_detach,      // payload: pthread_t
    set_name,           // payload: pthread_t, 2 words holding the 16 bytes of the name
    // mutexes and spin locks
    mutex_init,  // payload: type (PTHREAD_MUTEX_*), or stream_lock
    mutex_destroy,
    mutex_lock,
    mutex_try_lock,
    mutex_timed_lock,  // payload: ns until the deadline
    mutex_unlock,
    spin_init,
    spin_destroy,
    spin_lock,
    spin_try_lock,
    spin_unlock,
    // reader-writer locks
    rwlock_init,
    rwlock_destroy,
    rwlock_read,
    rwlock_try_read,
    rwlock_timed_read,  // payload: ns until the deadline
    rwlock_write,
    rwlock_try_write,
    rwlock_timed_write,  // payload: ns until the deadline
    rwlock_unlock,
    // conditions
    condition_init,
    condition_destroy,
    condition_wait,        // payload: address of the mutex
    condition_timed_wait,  // payload: address of the mutex, ns until the deadline
    condition_signal,
    condition_broadcast,
    // barriers
    barrier_init,  // payload: participants
    barrier_destroy,
    barrier_wait,  // result: 1 in the serial thread
    // semaphores
    semaphore_init,  // payload: count
    semaphore_destroy,
    semaphore_wait,
    semaphore_try_wait,
    semaphore_timed_wait,  // payload: ns until the deadline
    semaphore_post,
    once,  // at return; payload: 1 if this thread ran the routine
    // futexes behind syscall()
    futex_wait,
    futex_timed_wait,  // payload: ns until the deadline
    futex_wake,        // before the call, completed at return; payload: waiters woken
    // processor
    sleep,  // payload: requested ns
    yield,  // blocked
    // input and output: always arrival (flag_blocked) and resumed; result: bytes or ready descriptors.
    // The object is the descriptor plus 1 (0 is "none").
    input,
    output,
    poll,  // payload: timeout in ns, all ones for none
    open_close,
    sync,
    // scheduling parameters; payload: pthread_t or kernel thread id (0: the caller), value
    set_affinity,  // value: mask of the first 64 processors
    set_priority,  // value: nice value, or 1000 + level of SCHED_FIFO, 2000 + level of SCHED_RR
    // processes
    fork,          // payload: child process id
    exec,          // before the call
    exec_failed,   // the exec before it returned
    spawn,         // payload: child process id
    wait_child,    // blocked; result: child process id
    process_exit,  // payload: status
    // bookkeeping of instrumented functions
    define_stack,  // payload: address of the function, stack that called it; the number is in both slots
    stack_time,    // payload: ticks, calls and (upper half) calls beyond the depth that is recorded
    // scheduling parameters of the process
    set_concurrency,  // payload: how many threads the program wants to run at once
    // mutexes
    mutex_lock_unlock,  // a mutex_lock that did not wait, and its mutex_unlock, unmeasured
    // input and output
    channel_init,  // of a descriptor that was made; payload: the descriptor that is written for this one
                   // to be read, or no_writing_end
    // bookkeeping
    run_delay,  // payload: ns that the thread has been ready to run without a CPU so far; flag_blocked
};
inline constexpr unsigned kind_count = static_cast<unsigned>(Kind::run_delay) + 1;

// Of a descriptor that is written only: that of a pipe.
inline constexpr uint64_t no_writing_end = ~uint64_t{0};

// Between two events, with what the recording of one takes. A release is left unmeasured only if its lock
// followed an event that soon, and if the last measured release of a lock at that call site came that soon.
inline constexpr uint64_t brief_ns = 500;

// The type of a mutex that is the lock of a stdio stream (FILE).
inline constexpr uint64_t stream_lock = 0x46494c45;

inline constexpr uint64_t flag_blocked = 1;  // a `resumed` follows
inline constexpr uint64_t flag_failed = 2;   // the call returned an error or did not acquire
inline constexpr uint64_t flag_timed_out = 4;
inline constexpr uint64_t flag_switched = 8;  // cpu_sync: the thread was switched out since the last one;
                                              // resumed: it was in the call, and its clock was not read

constexpr unsigned payload_words(Kind kind) {
    switch (kind) {
        case Kind::thread_begin:
        case Kind::thread_state: return 4;
        case Kind::set_name: return 3;
        case Kind::thread_create:
        case Kind::condition_timed_wait:
        case Kind::set_affinity:
        case Kind::set_priority:
        case Kind::define_stack:
        case Kind::stack_time: return 2;
        case Kind::define_object:
        case Kind::define_site:
        case Kind::time_base:
        case Kind::cpu_sync:
        case Kind::resumed:
        case Kind::thread_join:
        case Kind::thread_try_join:
        case Kind::thread_timed_join:
        case Kind::thread_detach:
        case Kind::mutex_init:
        case Kind::mutex_timed_lock:
        case Kind::rwlock_timed_read:
        case Kind::rwlock_timed_write:
        case Kind::condition_wait:
        case Kind::barrier_init:
        case Kind::semaphore_init:
        case Kind::semaphore_timed_wait:
        case Kind::once:
        case Kind::futex_timed_wait:
        case Kind::futex_wake:
        case Kind::sleep:
        case Kind::set_concurrency:
        case Kind::poll:
        case Kind::fork:
        case Kind::spawn:
        case Kind::process_exit:
        case Kind::channel_init:
        case Kind::run_delay: return 1;
        default: return 0;
    }
}

constexpr uint64_t encode(Kind kind, uint64_t flags, unsigned object_slot, unsigned site_slot,
                          uint32_t delta) {
    return static_cast<uint64_t>(site_slot) << 54 | static_cast<uint64_t>(object_slot) << 44 | flags << 40 |
           static_cast<uint64_t>(kind) << 32 | delta;
}
constexpr Kind kind_of(uint64_t word) {
    return static_cast<Kind>(word >> 32 & 0xff);
}
constexpr uint64_t flags_of(uint64_t word) {
    return word >> 40 & 0xf;
}
constexpr unsigned object_slot_of(uint64_t word) {
    return static_cast<unsigned>(word >> 44 & 0x3ff);
}
constexpr unsigned site_slot_of(uint64_t word) {
    return static_cast<unsigned>(word >> 54);
}
constexpr uint32_t delta_of(uint64_t word) {
    return static_cast<uint32_t>(word);
}

// Stacks have more numbers than objects and sites.
inline constexpr uint32_t most_stacks = 1u << 14;
constexpr uint64_t encode_stack(Kind kind, uint64_t flags, uint32_t stack) {
    return encode(kind, flags, stack & 0x3ff, stack >> 10, 0);
}
constexpr uint32_t stack_of(uint64_t word) {
    return object_slot_of(word) | site_slot_of(word) << 10;
}

// Variables of the environment that a recording notes: how OpenMP runtimes wait, on how many CPUs, how many
// arenas libc's malloc may have, and how many threads OpenBLAS.
inline constexpr char const* noted_variables[] = {
    "OMP_WAIT_POLICY", "GOMP_SPINCOUNT",   "OMP_NUM_THREADS", "OMP_PROC_BIND",
    "OMP_PLACES",      "MALLOC_ARENA_MAX", "GLIBC_TUNABLES",  "OPENBLAS_NUM_THREADS"};
// `parcast record` sets a policy where nobody has. The second variable has the same value then, and a policy
// of that value is not noted.
inline constexpr char const* wait_policy_variable = noted_variables[0];
inline constexpr char const* own_wait_policy_variable = "PARCAST_OWN_WAIT_POLICY";

enum class ChunkKind : uint16_t {
    unused = 0,
    events,
    modules,  // lines "BASE SIZE PATH\n", BASE (load bias) and SIZE in hexadecimal; grows by more chunks
    command,  // argv, each ended by a zero byte
    working_directory,
    exec_target,   // path of the program that replaces this image
    final_clocks,  // FinalClock records: of the threads that were alive when the recording ended
    settings,  // "NAME=VALUE" of the noted variables that were set, each ended by a zero byte; and of what
               // the program set by calls: grows by more chunks
};

struct FinalClock {
    uint64_t thread_number;
    uint64_t cpu_ns;  // its CPU clock
};

struct ChunkHeader {
    ChunkKind kind;     // written last
    uint16_t pages;     // of the chunk, 1 to most_chunk_pages
    uint32_t stream;    // events: which stream
    uint32_t sequence;  // events: position among the chunks of its stream, from 0
    uint32_t bytes;     // text chunks: length of the text; events: unused
};
static_assert(sizeof(ChunkHeader) == 16);

// How much text or how many words a chunk holds.
constexpr size_t chunk_content_bytes(uint16_t pages) {
    return pages * page_bytes - sizeof(ChunkHeader);
}
constexpr size_t chunk_words(uint16_t pages) {
    return chunk_content_bytes(pages) / 8;
}

enum class Clock : uint32_t { rseq = 0, perf_page, thread_clock };
// From `size_limit` on: the process went on, but not its recording, which ends for all its threads at once
// and is a whole beginning of the run.
enum class Ending : uint32_t {
    none = 0,
    exit,
    immediate_exit,
    exec,
    size_limit,
    no_space,
    sandbox,          // the process restricted its system calls (seccomp)
    ticks_forbidden,  // it forbade itself to read the time stamp counter (PR_SET_TSC)
    shared_thread,    // it made a process with the memory and the variables of a thread (clone)
    clock_failed,     // a CPU clock could not be read
};

// A tick count and the monotonic clock read together.
struct ClockPair {
    uint64_t ticks;
    uint64_t monotonic_ns;
};

struct Header {
    uint64_t magic;
    uint32_t version;
    uint32_t process;
    uint32_t parent_process;
    uint32_t recorded_cpu;
    uint32_t pretended_cpus;  // 0: none
    Clock clock;
    ClockPair begin;
    ClockPair end;                  // zero while running; the launcher fills it in after a violent death
    uint64_t realtime_ns;           // since the epoch, at begin
    uint64_t process_cpu_begin_ns;  // when the recorder had started
    uint64_t process_cpu_end_ns;    // zero if it did not end regularly
    double event_cost_ns;           // but for the memory that its words take
    double clock_read_ns;  // of a thread's CPU clock; 0 if every event reads it (event_cost_ns has it)
    uint32_t page_count;   // allocated so far, without the header
    uint32_t stream_count;
    uint32_t thread_count;  // numbers handed out, the initial thread included
    uint32_t threads_alive;
    uint64_t lost_events;
    Ending ending;
    uint32_t exit_status;
    uint64_t shared_cost_ns;    // CPU time for the memory of all words so far but those of first chunks, and
                                // for looking up run delays
    double definition_cost_ns;  // by how much an event is dearer that has to define its object or site first;
                                // 0 if every event reads the clock
    uint32_t call_depth;        // of functions that are distinguished
    uint32_t has_call_costs;    // an instrumented function was called, and they were measured:
    double call_inside_ns;      // of a call, in the time of the function that is called,
    double call_outside_ns;     // and in that of its caller
    double deeper_call_ns;      // of a call beyond the depth
    double stack_time_ns;       // of a stack_time word
    double unmeasured_cost_ns;  // of the release in a mutex_lock_unlock
    // Of the children that it had waited for at its end, whose use wait4 adds to its own.
    uint64_t children_cpu_ns;
    uint64_t children_system_ns;
    uint64_t children_page_faults;
};
static_assert(sizeof(Header) <= header_bytes);

}  // namespace parcast::wire
