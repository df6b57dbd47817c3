// Threads that wait by running. On one CPU a spinning thread eats whole slices, and its waiting looks like
// work; what follows tells it from honest computation as far as one recording can.
//
// 1. Yields, certain: at least `least_yields` yields in a row from one site, with nothing recorded and less
//    than `between_yields` of CPU time in between.
// 2. Slices, a hint: segments of at least `long_segment` of CPU time in which the thread was switched out,
// and
//    whose end follows within `soon` on something that another thread did, after that one had run. Who
//    computes reaches its next call at any time of its slice: about one time in forty so soon. Reported if
//    a thread has at least `least_segments` such segments and these are most of its long ones.
//
// The numbers are measured: on one CPU of a Linux 6.18 machine slices last 3 ms, and each hand-over to a
// spinning consumer of 20 took its first call within 100 us of the producer's.

#pragma once

#include <cstdint>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

inline constexpr std::int64_t least_yields = 50;
inline constexpr Duration between_yields{5'000};
inline constexpr Duration long_segment{5'000'000};
inline constexpr Duration soon{100'000};
inline constexpr std::int64_t least_segments = 3;

struct Spinning {
    ThreadId thread;
    SiteId site;              // of the yields, or of the call that ended the latest segment
    Duration cpu;             // that went into it
    std::int64_t count = 0;   // of yields, or of segments
    bool is_certain = false;  // yields
};

// Yields before slices; by falling CPU time, then thread.
std::vector<Spinning> spinning(Timeline const& recorded);

}  // namespace parcast::analysis
