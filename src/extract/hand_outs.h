// Work that is handed out at run time: which pieces of the threads' lists any of them might have run.
//
// Threads that take the next piece of work under a lock, or from OpenMP, until none is left, divide it by who
// comes first. On one CPU that is whoever has the time slice: of a loop of 3 ms, one thread gets everything.
// Replayed as recorded, that thread would be the only one to work.
//
// A *take* is a lock of one mutex at one place by a thread that holds no other lock. What a thread does from
// one take to its next is a *piece*. A piece that waits for other threads, or ends the thread, is *final*:
// the take found nothing, and the thread went on. A piece that wakes or creates a thread is *kept* by its
// thread: moved to another one, it might leave a wait before it there without what it waits for (pigz, whose
// locks wake at every release, would deadlock). A *hand-out* are the pieces that the threads took before
// their j-th final take, counted from the end; of each thread, the longest row without one that it keeps.
// All of this must hold:
//
// 1. Two threads or more take there, each has a j-th final take, and as many pieces as threads can be moved.
// 2. They run the same function, but for the initial thread, which may lend a hand.
// 3. Every piece was taken before the first final take of its phase: once a thread finds nothing, nobody gets
//    anything. Threads that lock as they work on shares of their own stop at different times.
// 4. Nine tenths of the pieces taken at the place, moved or kept, were taken in hand-outs for which 1 to 3
//    hold: else it is chance.
// 5. No thread's hand-outs overlap; of two that do, the one that began later is left alone.
// 6. No thread locks several mutexes at that place in the code without waiting in between: those are locks of
//    cells, of boxes, of queues of their own. (A function that locks and leaves the unlock to another one, a
//    wrapper, is no place in the code.)
// 7. They are more than half of the threads of that function which are alive: cells are locked by neighbours,
//    a store serves all.
// 8. If every taker had a processor, they would not be done later than with the pieces that they had got:
//    who takes of an allocator has work of its own besides, and gets that of others on top.
//
// OpenMP says what it hands out: 6 to 8 are not asked. (store_rules.h.)
//
// Not found: chunks taken by an atomic counter, which leave no trace; queues whose takers wait for more work;
// stealing. Cost: O(events), and O(takes log takes) of places with at most `most_takes`.

#pragma once

#include <cstdint>
#include <vector>

#include "core/id.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// So many are taken in turns of a time slice in any case, and each costs memory here.
inline constexpr std::int64_t most_takes = 1'000'000;

// Events [first, last) of a thread.
struct Piece {
    ThreadId thread;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::int64_t taken_ns = 0;
    friend bool operator==(Piece const&, Piece const&) = default;
};

// A thread that takes part: its events [first, last) are pieces, at `last` it finds nothing left.
struct Taker {
    ThreadId thread;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    friend bool operator==(Taker const&, Taker const&) = default;
};

struct HandOut {
    ObjectId object = ObjectId::none();
    SiteId site = SiteId::none();
    std::vector<Taker> takers;  // by thread
    // In the order in which they were taken. Those of a thread follow each other in its list, from the first
    // of its events as a taker to the last.
    std::vector<Piece> pieces;
};

// By the time of the first take. REQUIRES: every pass of the plan is done.
std::vector<HandOut> hand_outs(Timeline const& recorded, Plan const& plan);

}  // namespace parcast::extract
