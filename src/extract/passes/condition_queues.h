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
//    are that were seen to count, all with as many units from the beginning: then it counts from as many,
//    even if nobody had to wait for it on one CPU.
//
// A flag, a gate or a signal that is given only to those who wait fails 1 or 2, and stays a matter of tokens.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"
#include "extract/plan.h"

namespace parcast::extract {

// A condition that may count.
struct QueueCandidate {
    Exchange const* exchange = nullptr;
    std::vector<Chain> chains;
    std::uint32_t mutex = no_object;
    std::vector<EventReference> locks;     // by chain: what its section begins with
    std::vector<EventReference> sections;  // locks of the mutex at places where a take may have been
};

// The conditions of one recording that count; some at a time.
class CountingConditions {
public:
    // Both are the caller's, for the life of this.
    CountingConditions(Timeline const& recorded, Plan& plan) : recorded_(recorded), plan_(plan) {}

    // Finds those that count, and replaces the steps of their signals, waits, and locks that did not wait.
    // The others stay in `candidates`. Cost: O(events + n log n) for n releases, chains and sections.
    void plan_by_evidence(std::vector<QueueCandidate>& candidates);
    bool were_found() const { return !families_.empty(); }
    // The same for those that are signalled where conditions that count are (4). REQUIRES: plan_by_evidence
    // has seen all conditions.
    void plan_by_analogy(std::vector<QueueCandidate>& candidates);

private:
    // Where conditions that count are signalled: at which places units are taken, and how many there were.
    struct Family {
        std::set<SiteId> take_sites;
        std::optional<std::int64_t> initial_units;  // none if they differ
    };

    bool plan_if_it_counts(QueueCandidate& candidate, std::optional<std::int64_t> expected);
    void add_to_families(QueueCandidate const& counting);
    Family const* family_of(QueueCandidate const& candidate) const;

    Timeline const& recorded_;
    Plan& plan_;
    std::map<SiteId, Family> families_;  // by place of a signal
};

}  // namespace parcast::extract
