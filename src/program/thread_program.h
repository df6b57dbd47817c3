// What must be done, as one operation list per thread: the form of a program that is extracted from a
// recording (Broberg 2002, paper I: "events with the CPU time between them") or written down
// (docs/formats/threads.md). It says nothing about when or where an operation runs.
//
// Invariants: (1) lists.size() == catalogue.threads.size(); lists[0] starts at time 0, and so do those whose
// parameters say so, after it and in their order; every other list starts when a `create` names it. (2) Every
// list ends with exactly one `end`. (3) Ids are in range. (4) work_ns >= 0, refill >= 0. (5) It is not larger
// than the clocks of a replay can tell: limits.h. (6) Shares are in the order of operations, with stacks of
// the catalogue.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue.h"
#include "core/id.h"
#include "core/kernel_locks.h"
#include "core/lwp_class.h"
#include "core/result.h"
#include "core/time.h"
#include "core/work_share.h"
#include "program/operation_list.h"

namespace parcast {

// Tokens of a condition are numbered from its initial count on, in the order in which the recording handed
// them out, and each wait knows the token that it took there. So are the units of a semaphore, and for each
// thread the activations that it accepted. A replay may give a wait another one: semantics::Pairing.
struct TokenWait {
    ObjectId mutex = ObjectId::none();
    std::optional<std::uint32_t> token = 0;  // none: it is not known, and there was one already
    bool at_once = false;                    // in the recording the thread did not have to wait
    friend bool operator==(TokenWait const&, TokenWait const&) = default;
};
struct TokenGrant {
    std::uint32_t tokens = 0;
    std::uint32_t first = 0;  // it hands out first, first + 1, ..., first + tokens - 1
    friend bool operator==(TokenGrant const&, TokenGrant const&) = default;
};
std::int64_t encode(TokenWait wait);
std::int64_t encode(TokenGrant grant);
TokenWait decode_wait(std::int64_t value);
TokenGrant decode_grant(std::int64_t value);

// Values of semaphore_wait, activate and accept: the unit that is taken, or the activation of the accepting
// thread. A semaphore_post has a TokenGrant.
std::int64_t encode_number(std::optional<std::uint32_t> number);
std::optional<std::uint32_t> decode_number(std::int64_t value);

enum class SchedulingClass : std::uint8_t { fair, real_time };
struct Priority {
    SchedulingClass scheduling_class = SchedulingClass::fair;
    int level = 0;             // fair: nice value -20..19; real_time: 1..99, higher first
    bool takes_turns = false;  // real_time: SCHED_RR; else SCHED_FIFO
    friend bool operator==(Priority const&, Priority const&) = default;
};
std::int64_t encode_priority(Priority priority);
Priority decode_priority(std::int64_t value);

// How the initial scheduling parameters of a thread differ from "fair, nice 0, any processor, any LWP", and
// whether it is there from the start, as thread 0 always is.
struct ThreadParameters {
    std::uint64_t affinity = 0;  // bit i for CPU 64 * affinity_word + i; 0: all
    Priority priority;
    bool at_start = false;
    LwpClass lwp = LwpClass::pool;
    std::uint32_t affinity_word = 0;  // a recording names CPUs 0 to 63; plans name more
    friend bool operator==(ThreadParameters const&, ThreadParameters const&) = default;
};

// A barrier that the program built from a mutex and a condition.
struct ConditionBarrier {
    std::uint32_t participants = 0;
    ObjectId condition;
    ObjectId mutex;
    friend bool operator==(ConditionBarrier const&, ConditionBarrier const&) = default;
};

// So many takes in a row by one thread.
struct Turn {
    ThreadId thread;
    std::uint32_t takes = 0;
    friend bool operator==(Turn, Turn) = default;
};

// Objects' state before the first operation, and what is known about their use.
struct ObjectParameters {
    std::int64_t initial_count = 0;  // semaphore: units; condition: tokens
    bool pairs_as_recorded = false;  // condition: each wait takes the token that it took in the recording
    // Lock: who takes it, in the recorded order, again after a wait on a condition included; semaphore: who
    // takes a unit; barrier: who arrives. Empty where the order of the threads is of no importance.
    std::vector<Turn> turns;
    // Barrier, or condition of one: the work of whoever is the last to arrive, for each thread that it wakes,
    // before its next operation. It is not in the lists.
    Duration waking{0};
    // Barrier of an OpenMP team, or semaphore at which a member waits for a region: its runtime decides how a
    // thread waits there.
    bool team = false;
    KernelLock kernel_lock = KernelLock::none;  // reader-writer lock: the kernel's own
    friend bool operator==(ObjectParameters const&, ObjectParameters const&) = default;
};

// Of work that threads took from a common store, and of page faults in common memory.
enum class HandOuts : std::uint8_t { anew, recorded };

// The lists of a program whose work and page faults are handed out the other way.
struct OtherHandOuts {
    HandOuts kind = HandOuts::recorded;
    std::vector<OperationList> lists;            // by ThreadId; empty: the same list
    std::vector<std::vector<WorkShare>> shares;  // of those that are not empty
    std::vector<std::string> assumptions;
    std::vector<ThreadId> takers;  // who takes pieces of work, ordered; in a recorded program
    friend bool operator==(OtherHandOuts const&, OtherHandOuts const&) = default;
};

// Threads of a recording that sleep and look again, at one place.
struct Polling {
    SiteId site;
    ThreadId thread;  // the first of them
    std::int64_t threads = 0;
    std::int64_t looks = 0;     // in the recording
    Duration nap{0};            // between two looks
    bool is_understood = true;  // what they wait for is known, and waited for; else each nap is a delay
    friend bool operator==(Polling const&, Polling const&) = default;
};

struct ThreadProgram {
    std::string name;  // of a program that was written down; may be empty
    Catalogue catalogue;
    std::vector<OperationList> lists;          // by ThreadId
    std::vector<ThreadParameters> parameters;  // by ThreadId
    std::vector<ObjectParameters> objects;     // by ObjectId
    // shares[thread]: whose the work before its operations is, by their numbers. Only proportions count; work
    // without shares is of the function that makes the call. Empty: functions were not recorded.
    std::vector<std::vector<WorkShare>> shares;
    std::vector<ConditionBarrier> barriers;  // by the value of condition_barrier
    std::vector<std::string> assumptions;    // how it was made, in sentences for the user
    std::optional<OtherHandOuts> other;      // if work or page faults were handed out anew
    Duration refill{0};  // CPU time that it costs a thread to get its data into the caches again when it lost
                         // its processor to another one at the end of a time slice; not in the lists' work
    std::vector<Polling> polling;  // of a recording
};

// The object that the operation is about; for a barrier that the program built its condition. None if it
// names a thread or nothing. REQUIRES: check(program) holds for the operation.
inline ObjectId object_of(ThreadProgram const& program, Operation const& operation) {
    switch (traits_of(operation.kind()).subject) {
        case Subject::object:
        case Subject::object_or_none: return operation.object_id();
        case Subject::barrier: return program.barriers[static_cast<std::size_t>(operation.value)].condition;
        case Subject::none:
        case Subject::thread: break;
    }
    return ObjectId::none();
}

// Those that are ready at time 0, in the order in which they are.
std::vector<ThreadId> initial_threads(ThreadProgram const& program);

// Exchanges the lists and assumptions for those of `other`, if that is of this kind.
void use_hand_outs(HandOuts kind, ThreadProgram& program);

// Checks the invariants. Errors: inconsistent, which names thread and operation; out_of_range (too large).
Result<void> check(ThreadProgram const& program);

// CPU time of all threads, that of waking each other at barriers included. REQUIRES: check(program) holds.
std::int64_t work_ns(ThreadProgram const& program);
// Of that, the waking at barriers of OpenMP teams.
std::int64_t team_waking_ns(ThreadProgram const& program);
// Who is a member of an OpenMP team, by ThreadId; empty: there are no teams. Cost: O(operations).
std::vector<bool> team_members(ThreadProgram const& program);
std::int64_t operation_count(ThreadProgram const& program);

}  // namespace parcast
