// How long locks were held, in CPU time of their holders: on one CPU the wall time between acquire and
// release says more about who else ran than about the critical section.
//
// A wait on a condition ends the holding of its mutex, and its return begins another. Nested locks of one
// thread are one holding. What was never released is none.

#pragma once

#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

// All holdings of one object.
struct Holding {
    Duration total;
    Duration longest;
};

// Takes one thread after the other. Cost: O(locks that the thread holds at once) for an event.
class HoldingTimes {
public:
    explicit HoldingTimes(std::size_t objects) : of_object_(objects) {}

    void add(Event const& event);
    void end_thread();
    std::vector<Holding> const& of_object() const { return of_object_; }

private:
    struct Held {
        ObjectId object;
        Duration since;
        int depth = 1;
    };

    std::vector<Held>::iterator find(ObjectId object);
    void count(ObjectId object, Duration held);
    void acquire(ObjectId object, Duration now);
    void release(ObjectId object, Duration now);
    void lend(ObjectId mutex, Duration arrival, Duration departure);

    std::vector<Holding> of_object_;
    std::vector<Held> held_;  // by the thread
    Duration cpu_;            // of the thread
};

}  // namespace parcast::analysis
