// Barriers that a program built from a mutex and a condition, or from a futex. The last arriver of the
// recording broadcast, but in the replay another thread may be last. Replayed with tokens, the threads
// would wait for the wrong one; replayed as a barrier, the last arriver of the replay releases all.
//
// An exchange is a barrier if all of this holds:
// 1. Every release that satisfied a wait satisfied exactly one wait of every other thread that ever uses
//    the object. (A queue's broadcast satisfies some waiters; pigz's `twist` broadcasts at every change
//    of a value and satisfies one.) For a futex, yields stand for a wait, too: yielded_arrivals.h.
// 2. Conditions: in each generation, caller and waiters held the same mutex and had locked it at the same
//    place: all run the same code. (A start gate, or a producer that waits for its consumers, does not.)
// 3. Two users must both have been in both roles: with one role each it is a hand-over from one to the other.
// 4. Futexes, which have no mutex: some user was in both roles; or, of three users and more that met only
//    once, the caller is not the creator of the others, who opened a gate for them.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"
#include "extract/passes/yielded_arrivals.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct FoundBarrier {
    ConditionBarrier barrier;
    std::vector<EventReference> arrivals;  // yields, and releases that found nobody waiting
};

// `caller_mutexes[i]`: of exchange.releases[i]; `waiter_mutexes[i]`: of exchange.waits[i]. `yields`: of the
// recording, for a futex, which has no mutexes.
std::optional<FoundBarrier> barrier_behind(Timeline const& recorded, Exchange const& exchange,
                                           std::span<Chain const> chains,
                                           std::span<HeldMutex const> caller_mutexes,
                                           std::span<HeldMutex const> waiter_mutexes,
                                           Yields const* yields = nullptr);

}  // namespace parcast::extract
