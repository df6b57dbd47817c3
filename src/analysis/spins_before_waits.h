// Threads that spin for a moment before they block: barriers of their own (PARSEC's) that give up a
// mutex, count to 35,000 while they look at a variable, take the mutex again, and wait for the condition. On
// one CPU each such wait takes the whole loop; on several it ends sooner, and threads mostly do not block.
//
// Found, for a thread and a mutex: pieces of CPU time from giving the mutex up, after a hold without a wait,
// to taking it again and waiting, with no call in between, of which four fifths are alike to a tenth. Equal
// pieces of work look the same: so of all other pieces between holds of that mutex, a quarter as many or
// more, at most a tenth may be as long. (streamcluster: 97 and 2 of 100, of 8,000 and 10,000.) Whoever hands
// work out and takes a part of it looks the same, too, but is one thread: spin_findings.cpp asks for two.

#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "analysis/spinning.h"

namespace parcast::analysis {

inline constexpr std::int64_t least_spins_before_waits = 256;

class SpinBeforeWaitSearch {
public:
    void add(Event const& event);
    // What was found under the mutex that took most CPU time. The search begins anew.
    std::optional<Spinning> end_thread(ThreadId thread);

private:
    struct Pieces {
        std::int64_t count = 0;
        std::int64_t cpu_ns = 0;
    };
    using ByLength = std::map<int, Pieces>;  // logarithm of the length, in steps of a fiftieth
    struct Mutex {
        SiteId site = SiteId::none();  // of the waits
        bool has_waited = false;
        ByLength before_waits;
        ByLength others;
    };
    struct Piece {
        ObjectId mutex;
        std::int64_t cpu_ns = 0;
        bool follows_wait = false;
    };

    static std::optional<Spinning> found_at(Mutex const& mutex);

    std::map<ObjectId, Mutex> mutexes_;     // under which the thread has waited
    ObjectId given_up_ = ObjectId::none();  // by the previous call
    std::optional<Piece> piece_;            // that ended with the previous call
};

}  // namespace parcast::analysis
