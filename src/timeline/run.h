// What one execution of a program gave: its accounts, the deadlock that it ended in, and its timeline if one
// was asked for. Engines make it (simulate for recordings, model for task graphs); everything that is drawn,
// analysed or reported reads it.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/accounts.h"
#include "timeline/cause_graph.h"
#include "timeline/timeline.h"

namespace parcast {

// What a thread waits for that can never go on.
enum class Awaited : std::uint8_t {
    object,      // a lock, a barrier, ...
    token,       // of a condition or semaphore: a signal or a post that nobody makes
    thread,      // the end, or the rendezvous, of one thread
    any_thread,  // of any
};

// One thread that can never go on.
struct StuckThread {
    ThreadId thread;
    ObjectId object = ObjectId::none();          // Awaited::object and token
    ThreadId awaited_thread = ThreadId::none();  // Awaited::thread
    ThreadId holder = ThreadId::none();          // who holds the object, if it is a lock
    SiteId site = SiteId::none();
    Awaited awaited = Awaited::object;

    friend bool operator==(StuckThread const&, StuckThread const&) = default;
};

struct Deadlock {
    Instant when;
    std::vector<StuckThread> threads;  // every thread that has begun and not ended
};

struct Run {
    Accounts accounts;                 // up to the deadlock, if there is one
    std::optional<Deadlock> deadlock;  // accounts.completion is no prediction then
    // Where threads wanted mutexes of many in a circle, one of them gave its own back: how often, and one of
    // these mutexes (semantics/operations.h, rule 7).
    std::uint32_t crossings = 0;
    ObjectId crossed_lock = ObjectId::none();
    std::optional<Timeline> timeline;  // if asked for
    std::optional<CauseGraph> causes;  // if asked for, of an unbounded run
    std::vector<ThreadId> order;       // if asked for: who executed the operations, one after the other
};

}  // namespace parcast
