// Conditions: which waits and signals are replayed, and how.
//
// 1. Chains. Waits sit in loops that test a predicate. A wait that follows another wait of its thread on
//    the same condition and mutex, with no recorded call and at most `predicate_ns` (timeouts.h) of CPU time
//    in between, found that predicate false: both are one wait, satisfied by the last release. Whoever else
//    was released in vain costs nothing in the replay, where he is not woken. After a wait that timed out the
//    thread may also have locked and unlocked: xz's main thread gives up the mutex to look elsewhere.
// 2. Tokens. A signal or broadcast hands out as many tokens as chains that it satisfied; without any it
//    is a boundary. A chain takes one token from anybody. Sum of tokens = sum of waits, so no replay
//    waits for a signal that the recording did not need.
// 3. Timeouts. A chain that ends with a timeout is a delay of the time that was asked for, with the
//    mutex released meanwhile. A timeout before the end of a chain found its predicate false. (On one CPU
//    those whom it waits for have no CPU of their own, and time runs out that would suffice on two.)
// 4. A chain whose last wait nobody in the process released, and no earlier one either, is a delay of
//    the recorded time, and counted as a doubt.
// 5. Barriers built from a condition: broadcasts.h.

#pragma once

#include <cstdint>
#include <vector>

#include "extract/passes/releases.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// A run of waits of one thread that found their predicate false, up to the one that found it true or gave up.
struct Chain {
    std::uint32_t first = 0;  // into Exchange::waits; all of its thread's waits up to the last are of it
    std::uint32_t last = 0;
    std::uint32_t release = no_release;  // that satisfied it; into Exchange::releases

    bool is_released() const { return release != no_release; }
};

template <class Visit>
void for_each_wait(Exchange const& exchange, Chain const& chain, Visit visit) {
    ThreadId const thread = exchange.waits[chain.last].event.thread;
    for (std::uint32_t i = chain.first; i <= chain.last; ++i)
        if (exchange.waits[i].event.thread == thread)
            visit(exchange.waits[i]);
}

// By the arrival of their first wait.
std::vector<Chain> condition_chains(Timeline const& recorded, Exchange const& exchange);

// The mutex and where the waiting or signalling thread locked it; none if it did not hold it.
struct HeldMutex {
    std::uint32_t mutex = no_object;
    SiteId locked_at = SiteId::none();
};

void plan_conditions(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
