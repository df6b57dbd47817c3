// What let whom go on in a run with a processor for every thread and no costs: the events of its threads,
// each with everything that it came right after, also where nobody had to wait. What to change first is read
// from it (analysis/extended_critical_path.h).
//
// An event is the end of the work before an operation, or that a thread begins or goes on after it waited or
// slept. Its causes are those of the last instant: the end of the work that it follows, or whatever a wait
// took, given at the very instant of the wait's end. What was there before that instant holds nobody up.
//
// Invariants: (1) Events are in the order of time. (2) The causes of an event have lower numbers; those that
// take no time have its instant. (3) Event 0 is the begin of thread 0 and alone has no cause. (4) The last
// one is the completion: its causes are the ends of the threads that ended last; it is nobody's.
//
// Source: Broberg 2002, paper VI.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
    std::uint32_t first_cause = 0;
    std::int8_t running = 0;  // by how much the number of running threads changes
    What what = What::work_ends;
};

class CauseGraph {
public:
    // Appends an event. REQUIRES: the invariants.
    EventNumber add(CausedEvent event, std::span<EventNumber const> causes) {
        event.first_cause = static_cast<std::uint32_t>(causes_.size());
        causes_.insert(causes_.end(), causes.begin(), causes.end());
        events_.push_back(event);
        return static_cast<EventNumber>(events_.size() - 1);
    }
    // The thread of the event stops running there.
    void stops(EventNumber event) { events_[event].running = -1; }

    std::span<CausedEvent const> events() const { return events_; }
    std::span<EventNumber const> causes(EventNumber event) const {
        auto const first = events_[event].first_cause;
        auto const end = event + 1 < events_.size() ? events_[event + 1].first_cause : causes_.size();
        return std::span(causes_).subspan(first, end - first);
    }

private:
    std::vector<CausedEvent> events_;
    std::vector<EventNumber> causes_;  // of all events, one after the other
};

}  // namespace parcast
