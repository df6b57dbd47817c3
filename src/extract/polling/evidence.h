// Is a row of naps waiting, or time that passes by itself? A thread that waits goes on at the first look
// after what it waits for. So something happened between its last two looks that hardly ever happened between
// two others: a thread ended, stopped, or made a call that is rare, or all had come to rest. A fixed number
// of naps ends anywhere. A thread that was cancelled in a nap surely waits.

#pragma once

#include <cstdint>
#include <set>

#include "extract/polling/course_of_others.h"
#include "extract/polling/nap_rows.h"

namespace parcast::extract {

enum class NapMeaning : std::uint8_t {
    time,     // nothing else ends it
    waiting,  // for what others do
    either,
};

// What another thread did, as far as two of these are the same.
using Deed = std::uint64_t;
Deed deed_of(ThreadId napper, Event const& event);
// The thread waits for the end of the one that naps, which it has told to end.
inline constexpr Deed joins_the_napper = 0;

struct NapEvidence {
    NapMeaning meaning = NapMeaning::time;
    std::set<Deed> rare;  // done between last looks, and hardly between others
};

// The shortest rest of all threads that counts: a switch from one to another is none.
std::int64_t least_rest_ns(std::int64_t nap_ns);
// The thread's last nap of the row.
LookInterval last_interval(Timeline const& recorded, NapRow const& row);

// Cost: O(n log n) for n events between the looks of some thousand naps.
NapEvidence evidence_of(Timeline const& recorded, CourseOfOthers const& others, NapGroup const& group);

}  // namespace parcast::extract
