// How many threads are on a processor, how many are ready without one, and how many wait, over time: a step
// function. Under processor sharing n running threads occupy min(n, processors); the others count as ready.

#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "timeline/interval.h"

namespace parcast {

struct ParallelismStep {  // from `begin` until the next step
    Instant begin;
    std::uint32_t running = 0;  // on a processor: running, switching or spinning
    std::uint32_t ready = 0;
    std::uint32_t waiting = 0;  // blocked, asleep or in input and output

    friend bool operator==(ParallelismStep const&, ParallelismStep const&) = default;
};

// The first step begins at 0, the last one ends at `length`, the execution's; neighbours differ, and none is
// empty but the only one of an empty execution. Cost: O(intervals * log(intervals)).
std::vector<ParallelismStep> parallelism(IntervalColumns const& rows, std::uint32_t cpus, Duration length);

}  // namespace parcast
