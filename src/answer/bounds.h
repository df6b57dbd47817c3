// What limits how far a program can scale at all.

#pragma once

#include "core/time.h"

namespace parcast {

// What the speed-up on a number of CPUs lies between.
struct SpeedUpBounds {
    double lower = 1;
    double upper = 1;
};

// The critical path: how long a program takes with a processor for every thread.
struct Span {
    Duration length;
    Duration busy;  // its CPU time
};

}  // namespace parcast
