// What let whom go on in a run with a processor for every thread and no costs: the events of its threads,
// each with everything that it came right after, also where nobody had to wait. What to change first is read
// from it (analysis/extended_critical_path.h).
//
// An event is the end of the work before an operation, or that a thread begins or goes on after it waited or
// slept. Its causes are those of the last instant: the end of the work that it follows, or whatever a wait
// took, given at the very instant of the wait's end. What was there before that instant holds nobody up.
//
// An event comes earlier if and only if all of its causes do. So of the causes only this is kept: the nearest
// event that all of them need, the *dominator*. Dominators are a tree.
//
// Invariants: (1) Events are in the order of time. (2) The causes of an event have lower numbers; those that
// take no time have its instant. (3) Event 0 is the begin of thread 0 and alone has no cause. (4) The last
// one is the completion: its causes are the ends of the threads that ended last; it is nobody's.
//
// Source: Broberg 2002, paper VI. 28 bytes an event.

#pragma once

#include <cstdint>
#include <span>

#include "core/chunked_list.h"
#include "core/id.h"
#include "core/time.h"

namespace parcast {

using EventNumber = std::uint32_t;

struct CausedEvent {
    enum class What : std::uint8_t {
        work_ends,  // before the operation
        waits_on,   // it got what the operation waited for first, and waits for its mutex
        goes_on,    // the thread begins, or the operation is over that waited, slept or might have waited
    };

    Instant when;
    ThreadId thread;              // none: the completion
    std::uint32_t operation = 0;  // of the thread's list
    std::int8_t running = 0;      // by how much the number of running threads changes
    What what = What::work_ends;
};

class CauseGraph {
public:
    // Appends an event. REQUIRES: the invariants; less than 2^28 threads. Cost: O(causes * log(events)).
    EventNumber add(CausedEvent const& event, std::span<EventNumber const> causes);
    // The thread of the event stops running there.
    void stops(EventNumber event) { rows_[event].set_running(-1); }

    EventNumber size() const { return static_cast<EventNumber>(rows_.size()); }
    CausedEvent operator[](EventNumber event) const { return rows_[event].event(); }
    Instant when(EventNumber event) const { return rows_[event].when; }
    std::int8_t running(EventNumber event) const { return rows_[event].running(); }
    // The nearest one; event 0 is its own.
    EventNumber dominator(EventNumber event) const { return rows_[event].dominator; }
    // Of both, or one of them that dominates the other. Cost: O(log(events)).
    EventNumber common_dominator(EventNumber a, EventNumber b) const;
    // Whether `a` comes before `b` where each event comes right before all that it dominates. Likewise.
    bool comes_before(EventNumber a, EventNumber b) const;

private:
    struct Row {
        Instant when;
        std::uint32_t thread_and_kind = 0;  // thread (28 bits) | running + 1 (2) | what (2)
        std::uint32_t operation = 0;
        EventNumber dominator = 0;
        EventNumber jump = 0;  // to a farther one

        CausedEvent event() const;
        std::int8_t running() const { return static_cast<std::int8_t>((thread_and_kind >> 2 & 3) - 1); }
        void set_running(std::int8_t running) {
            thread_and_kind = (thread_and_kind & ~12U) | static_cast<std::uint32_t>(running + 1) << 2;
        }
    };
    static_assert(sizeof(Row) == 24);
    static constexpr std::uint32_t no_thread = 0xffffffff >> 4;

    EventNumber ancestor_at(EventNumber event, std::uint32_t depth) const;

    ChunkedList<Row> rows_;
    ChunkedList<std::uint32_t> depths_;  // of the tree, by event
};

}  // namespace parcast
