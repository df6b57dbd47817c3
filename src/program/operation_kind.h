// The kinds of operations of a thread, and what is true of every operation of a kind: one row per kind. The
// check of programs, their interpreter, extraction, accounts, reports and the page read these rows.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace parcast {

// What an operation does after its work. `object` is an ObjectId unless another meaning is given.
enum class OperationKind : std::uint8_t {
    work_only,  // nothing: a segment boundary (a failed try-lock, a yield that was dropped)
    end,        // the thread ends; waiters of its join are released
    create,     // object: ThreadId that becomes ready
    join,       // object: ThreadId whose end is awaited
    join_any,   // waits for the end of any thread that nobody has joined yet; object: the ThreadId that it
                // joined in the recording, or none
    lock,       // mutex or spin lock, exclusive
    unlock,
    read_lock,  // reader-writer lock, shared; value: as that of the event, for extraction alone
    write_lock,
    read_write_unlock,
    condition_wait,     // releases a mutex, takes a token of the condition or waits for one, then takes the
                        // mutex again; value: see TokenWait
    condition_signal,   // hands out tokens: one for each wait that it satisfied in the recording;
                        // value: see TokenGrant
    condition_barrier,  // arrival at a barrier that the program built from a mutex and a condition;
                        // value: index into `barriers`; the mutex is released while it waits
    barrier_wait,       // value: participants
    semaphore_wait,     // value: the unit that it took in the recording, see encode_number
    semaphore_post,     // value: units, see TokenGrant
    delay,              // waits `value` ns without a processor; object none: a sleep or a timed-out wait
    input_output,       // waits `value` ns without a processor for the descriptor `object`
    yield,
    set_affinity,     // value: bit mask of allowed processors, bit i for processor i < 64; 0: all
    set_priority,     // value: see encode_priority
    activate,         // synchronous rendezvous (paper VIII): object: ThreadId; blocks until it accepts;
                      // value: which of its activations, see encode_number
    accept,           // takes the oldest pending activate directed at this thread; value: which it took
    set_concurrency,  // value: LWPs that the program asks for, where there are any (pthread_setconcurrency)
    sleep_until,      // waits without a processor until `value` ns after its thread's last delay or
                      // sleep_until was to end, or the thread began; not at all once that has passed
};

// What an operation names.
enum class Subject : std::uint8_t {
    none,
    thread,
    object,
    object_or_none,
    barrier,  // ThreadProgram::barriers[value]; its object is the condition
};

// What an operation does to its thread and to others.
enum class Role : std::uint8_t {
    none,
    schedules,   // changes how its thread is scheduled from now on
    takes_lock,  // waits while another thread holds it
    releases_lock,
    waits,     // until another thread has ended, or given what it takes
    releases,  // begins a thread, ends its own, or gives what others wait for
    meets,     // waits until the others have come, and the last to come releases them
    delays,    // waits for a time, and for no thread
};

// What a thread that waits in the operation waits for.
enum class WaitCause : std::uint8_t { none, lock, condition, thread, input_output, sleep };

struct OperationTraits {
    OperationKind kind;
    char const* name;
    Subject subject;
    Role role;
    WaitCause cause;
    bool counted;  // in the account of its object (timeline/accounts.h)
};

inline constexpr auto operation_kinds = [] {
    using enum OperationKind;
    using On = Subject;
    using Does = Role;
    using For = WaitCause;
    constexpr bool yes = true;
    constexpr bool no = false;
    return std::to_array<OperationTraits>({
        // clang-format off
    {work_only,         "work",              On::none,           Does::none,          For::none,         no},
    {end,               "end",               On::none,           Does::releases,      For::none,         no},
    {create,            "create",            On::thread,         Does::releases,      For::none,         no},
    {join,              "join",              On::thread,         Does::waits,         For::thread,       no},
    {join_any,          "join any",          On::none,           Does::waits,         For::thread,       no},
    {lock,              "lock",              On::object,         Does::takes_lock,    For::lock,         yes},
    {unlock,            "unlock",            On::object,         Does::releases_lock, For::none,         no},
    {read_lock,         "read lock",         On::object,         Does::takes_lock,    For::lock,         yes},
    {write_lock,        "write lock",        On::object,         Does::takes_lock,    For::lock,         yes},
    {read_write_unlock, "read-write unlock", On::object,         Does::releases_lock, For::none,         no},
    {condition_wait,    "condition wait",    On::object,         Does::waits,         For::condition,    yes},
    {condition_signal,  "condition signal",  On::object,         Does::releases,      For::none,         yes},
    {condition_barrier, "condition barrier", On::barrier,        Does::meets,         For::condition,    yes},
    {barrier_wait,      "barrier wait",      On::object,         Does::meets,         For::condition,    yes},
    {semaphore_wait,    "semaphore wait",    On::object,         Does::waits,         For::condition,    yes},
    {semaphore_post,    "semaphore post",    On::object,         Does::releases,      For::none,         yes},
    {delay,             "delay",             On::object_or_none, Does::delays,        For::sleep,        yes},
    {input_output,      "input/output",      On::object_or_none, Does::delays,        For::input_output, yes},
    {yield,             "yield",             On::none,           Does::none,          For::none,         no},
    {set_affinity,      "set affinity",      On::none,           Does::schedules,     For::none,         no},
    {set_priority,      "set priority",      On::none,           Does::schedules,     For::none,         no},
    {activate,          "activate",          On::thread,         Does::meets,         For::thread,       no},
    {accept,            "accept",            On::none,           Does::meets,         For::thread,       no},
    {set_concurrency,   "set concurrency",   On::none,           Does::schedules,     For::none,         no},
    {sleep_until,       "sleep until",       On::none,           Does::delays,        For::sleep,        no},
        // clang-format on
    });
}();
inline constexpr std::size_t operation_kind_count = operation_kinds.size();

static_assert(
    [] {
        for (std::size_t row = 0; row < operation_kind_count; ++row)
            if (operation_kinds[row].kind != static_cast<OperationKind>(row))
                return false;
        return operation_kinds.back().kind == OperationKind::sleep_until;
    }(),
    "a row for every kind, in the order of OperationKind");

constexpr OperationTraits const& traits_of(OperationKind kind) {
    return operation_kinds[static_cast<std::size_t>(kind)];
}

constexpr char const* name_of(OperationKind kind) {
    return traits_of(kind).name;
}

constexpr bool names_thread(OperationKind kind) {
    return traits_of(kind).subject == Subject::thread;
}

// Whether it may release other threads or wait for them, other than for a lock.
constexpr bool concerns_others(OperationKind kind) {
    auto const role = traits_of(kind).role;
    return role == Role::waits || role == Role::releases || role == Role::meets;
}

// Whether it meets others at a barrier.
constexpr bool is_arrival(OperationKind kind) {
    return kind == OperationKind::barrier_wait || kind == OperationKind::condition_barrier;
}

// Whether it waits without a processor and for no thread, `Operation::value` ns at most (sleeps.h).
constexpr bool is_delay(OperationKind kind) {
    return traits_of(kind).role == Role::delays;
}

}  // namespace parcast
