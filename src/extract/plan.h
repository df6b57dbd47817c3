// What each recorded event is to become in the program, before the CPU time between events is cut into
// work. One pass for each family of calls (locks, conditions, ...) fills in the steps of its events; the
// last pass (segments.h) turns steps and CPU times into operations. So a family never touches time, and
// the account of time knows no family.

#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/id.h"
#include "extract/passes/event_kinds.h"
#include "extract/step.h"
#include "extract/step_list.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Names an event: events[thread][index].
struct EventReference {
    ThreadId thread;
    std::uint32_t index = 0;
    friend auto operator<=>(EventReference, EventReference) = default;
};

// A thread whose creation was not recorded, and when its creator must create it at the latest.
struct Adoption {
    ThreadId creator;
    ThreadId child;
    std::int64_t wall_ns = 0;
};

// What the passes had to decide without evidence; said to the user (assumptions.h).
struct Doubts {
    std::int64_t adopted_threads = 0;
    std::int64_t unreleased_waits = 0;     // nobody in the process released them: replayed as delays
    std::int64_t signal_waits = 0;         // not waited for
    std::int64_t inferred_semaphores = 0;  // initial value not seen
    std::int64_t foreign_unlocks = 0;      // unlocks by a thread that did not hold the lock
    std::int64_t lost_unlocks = 0;         // put in, as another thread took the lock
    std::int64_t foreign_parameters = 0;   // affinity or priority of another thread, left out
    std::int64_t threads_alive = 0;
    std::int64_t estimated_waits = 0;  // I/O during which other threads ran
    std::int64_t channel_waits = 0;    // reads that wait for what another thread writes
    std::int64_t late_timeouts = 0;    // that take no time (polling/late_timeouts.h)
    std::int64_t dropped_sleeps = 0;   // and waits, of threads that nobody waited for at the end
};

// CPU time with which a thread woke the others at a barrier. It is of the segment that ends with the event,
// or, where the event is the arrival at a barrier, inside that call.
struct Waking {
    EventReference event;
    std::int64_t ns = 0;
};

// An operation that no event of the recording stands for: at a place that one has, or in the work before it.
struct AddedOperation {
    enum class Where : std::uint8_t { before, after };
    EventReference event;
    Where where = Where::before;
    std::int64_t left_ns = 0;  // before: of the work that leads to the event, that which comes later
    OperationKind kind = OperationKind::work_only;
    std::uint32_t object = no_object;
    std::int64_t value = 0;
};

struct Plan {
    std::vector<KindSet> kinds;                  // of the events of each thread
    std::vector<StepList> steps;                 // as Timeline::events
    std::vector<Adoption> adoptions;             // by (creator, wall_ns)
    std::vector<EventReference> channel_events;  // input, output and polling between threads, sorted
    std::vector<ThreadParameters> parameters;
    std::vector<ObjectParameters> objects;
    std::vector<ConditionBarrier> barriers;
    std::vector<Waking> wakings;        // by event; not in the lists, but in ObjectParameters::waking
    std::vector<AddedOperation> added;  // by event and place; those of one place in their order
    std::vector<Polling> polling;
    Doubts doubts;

    StepList::Place at(EventReference reference) { return steps[reference.thread.index()][reference.index]; }
    Step step(EventReference reference) const { return steps[reference.thread.index()][reference.index]; }
};

// Every event a boundary, every parameter its default. The recording is the caller's; its events do not
// change, and go after their steps (write_lists).
Plan empty_plan(Timeline const& recorded);

// Calls `visit(EventReference, Event const&)` for every event, thread after thread.
template <class Visit>
void for_each_event(Timeline const& recorded, Visit visit) {
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        auto const& events = recorded.events[thread];
        for (std::size_t i = 0; i < events.size(); ++i)
            visit(EventReference{ThreadId(thread), static_cast<std::uint32_t>(i)}, events[i]);
    }
}

// The same for the events of these kinds. `known`: Plan::kinds.
template <class Visit>
void for_each_event(Timeline const& recorded, std::vector<KindSet> const& known, KindSet kinds, Visit visit) {
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        if (!known[thread].intersects(kinds))
            continue;
        auto const& events = recorded.events[thread];
        for (std::size_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            if (kinds.contains(event.kind))
                visit(EventReference{ThreadId(thread), static_cast<std::uint32_t>(i)}, event);
        }
    }
}

// When the call returned.
inline std::int64_t return_ns(Event const& event) {
    return event.wall_ns + event.span_ns;
}

// A blocked call that ended without what it waited for, or that the recording cut off: what remains of it
// is the time that it took. REQUIRES: outcome timed_out or cut_off.
Step interrupted_step(Timeline const& recorded, EventReference reference);

// A wait for something outside the process.
Step delay_step(Event const& event);

}  // namespace parcast::extract
