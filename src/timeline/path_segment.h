// A part of the critical path: the chain of causes that ends at the completion of a run.
//
// Invariants of a path: (1) it begins at 0, ends at the completion, and its segments, in time order, leave no
// gap and do not overlap. (2) No segment is empty, and neighbours differ in more than their times. (3) Where
// it changes threads, the thread before created or released the thread after at that instant; or it sent it a
// message, which is in flight first.

#pragma once

#include "core/id.h"
#include "core/time.h"

namespace parcast {

struct PathSegment {
    ThreadId thread;
    Instant begin;
    Instant end;
    bool is_in_flight = false;  // a message on its way to the thread

    friend bool operator==(PathSegment const&, PathSegment const&) = default;
};

}  // namespace parcast
