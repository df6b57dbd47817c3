// How much of their time do threads spend at each futex word that the program or its language's library uses
// by itself (std::atomic, Rust's Mutex), and how long may it be held without a trace? A wait and a wake are
// system calls, which are recorded; whoever finds the word free makes none.
//
// A thread of the Java VM parks at a condition of its own, whatever it waits for: all of these count as one
// word, of threads that work between their waits.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

struct FutexUse {
    ObjectId object;
    std::int64_t waits = 0;
    Duration waiting;    // wall time in waits
    Duration lifetimes;  // of all threads that use the word
    Duration
        between;  // CPU time of each thread from its first use to its last: it may hold the word in all of it
};

// Takes the events of one thread after the other.
class FutexUseSearch {
public:
    explicit FutexUseSearch(Catalogue const& catalogue);
    void add(Event const& event);
    void end_thread();
    // Most waiting first.
    std::vector<FutexUse> finish();

private:
    struct OwnUse {
        Duration first_at;  // CPU time of the thread
        Duration last_at;
        std::int64_t waits = 0;
        Duration waiting{0};
    };

    // The word; none: it is another object.
    ObjectId word_of(Event const& event) const;

    std::vector<bool> is_parking_;         // by object
    ObjectId parking_ = ObjectId::none();  // stands for all of them
    std::map<ObjectId, FutexUse> uses_;
    std::map<ObjectId, OwnUse> own_;  // of the thread
    Duration cpu_;
    Duration begin_;  // wall time
    Duration end_;
    bool has_begun_ = false;
};

}  // namespace parcast::analysis
