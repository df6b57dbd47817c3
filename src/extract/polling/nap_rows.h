// Rows of naps: sleeps, and timed waits that ran out, which a thread makes from one place, about equally
// long, with next to nothing in between. Whether they are waiting (polling.h), and what for, is another
// question.

#pragma once

#include <cstdint>
#include <vector>

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct NapRow {
    ThreadId thread;
    std::vector<std::uint32_t> naps;  // events, in order
    bool is_unfinished = false;       // the process ended in it
    bool is_satisfied = false;        // one of its waits follows, and has what it waits for
    bool is_cancelled = false;        // another thread ended it in its last nap (pthread_cancel)

    std::uint32_t first() const { return naps.front(); }
    std::uint32_t last() const { return naps.back(); }
};

// All rows of one place, those that were cancelled apart.
struct NapGroup {
    SiteId site;
    EventKind kind = EventKind::sleep;
    std::int64_t nap_ns = 0;  // the shortest
    std::vector<NapRow> rows;

    std::int64_t naps() const;
    std::int64_t asked_ns(Timeline const& recorded) const;  // of all naps
};

inline constexpr KindSet nap_kinds{EventKind::sleep, EventKind::poll, EventKind::timed_condition_wait,
                                   EventKind::timed_semaphore_wait, EventKind::timed_futex_wait};

// A sleep or a poll with nothing ready lasts as long as it was asked for, or as it lasted; ns.
std::int64_t nap_ns(Event const& event);

// A wait that another thread of the recording ended. `step`: what it became.
bool has_what_it_waits_for(Event const& event, Step const& step);
// A wait that ran out becomes none. What it does to a mutex, it does still.
void take_no_time(EventReference wait, Plan& plan);

struct Naps {
    std::vector<NapGroup> groups;   // places at which some thread naps `fewest_naps_of_a_row` times in a row
    std::vector<NapRow> satisfied;  // of whatever length; not in the groups
};
inline constexpr std::size_t fewest_naps_of_a_row = 3;

// REQUIRES: what waits become is planned. Cost: O(events) of the threads that nap.
Naps find_naps(Timeline const& recorded, Plan const& plan);

}  // namespace parcast::extract
