// Conditions that count: bounded queues, and other semaphores made of a mutex and a condition.
//
// Replayed with tokens for its waits alone, a queue orders nothing while it is neither empty nor full: on one
// CPU a consumer finds sixteen items at once and waits once, and the replay would let it take the other
// fifteen before they exist. A condition that counts is replayed as what it is: every signal puts a unit,
// every section that might have waited takes one, and some units are there from the beginning.
//
//     send:    lock; while (full) wait(not_full);   put item;  signal(not_empty); unlock
//     receive: lock; while (empty) wait(not_empty); take item; signal(not_full);  unlock
//
// A *take* is a lock of the mutex at a place where some section went on to wait for the condition; it happens
// when the lock was taken, or the wait ended. The recording is checked for all of this, moment by moment:
//
// 1. Whoever waits found no unit left, so that the units from the beginning are known: all agree on them.
// 2. Whoever does not wait, and whose wait ends, found one.
// 3. No section waits for the condition twice, no broadcast ends a wait, and all waits name one mutex.
// 4. At least two waits were satisfied: less may be chance. Or the condition is signalled where conditions
// are that
//    were seen to count, all with as many units from the beginning: then it counts from as many, even
//    if nobody had to wait for it on one CPU.
//
// A flag, a gate or a signal that is given only to those who wait fails 1 or 2, and stays a matter of tokens.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"
#include "extract/plan.h"

namespace parcast::extract {

// The locks of one mutex at one place, of all threads.
struct Section {
    EventReference lock;
    std::int64_t locked_ns = 0;  // when it had the mutex
};

// What the threads did to the units of one condition, each in the order of time.
struct ConditionQueue {
    struct Take {
        EventReference lock;
        std::optional<std::size_t> chain;  // that the section waited in
    };
    std::int64_t initial_units = 0;
    std::vector<Take> takes;
};

// A condition that may count.
struct QueueCandidate {
    Exchange const* exchange = nullptr;
    std::vector<Chain> chains;
    std::uint32_t mutex = no_object;
    std::vector<EventReference> locks;  // by chain: what its section begins with
    std::vector<Section> sections;      // those in which a take may have been, any order
};

// `expected`: units from the beginning, if others like it were seen to count (4).
// Cost: O(n log n) for n releases, chains and sections.
std::optional<ConditionQueue> queue_behind(QueueCandidate const& candidate,
                                           std::optional<std::int64_t> expected);

// Finds those that count, and replaces the steps of their signals, waits, and locks that did not wait.
// Sections are filled in here.
void plan_queues(Timeline const& recorded, std::vector<QueueCandidate> candidates, Plan& plan);

}  // namespace parcast::extract
