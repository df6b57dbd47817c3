// How many threads are on a processor, and how many are ready without one, over time: a step function and its
// levels of detail. Under processor sharing n running threads occupy min(n, processors); the others count as
// ready.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "answer/run_sentences.h"
#include "core/time.h"
#include "timeline/interval.h"
#include "timeline/path_segment.h"
#include "view/sections.h"

namespace parcast::view {

struct Step {  // from `begin` until the next step
    Instant begin;
    std::uint32_t running = 0;  // on a processor: running, switching or spinning
    std::uint32_t ready = 0;

    friend bool operator==(Step const&, Step const&) = default;
};

// The first step begins at 0, the last one ends at `length`, the execution's; neighbours differ, and none is
// empty but the only one of an empty execution. Cost: O(intervals * log(intervals)).
std::vector<Step> parallelism(IntervalColumns const& rows, std::uint32_t cpus, Duration length);

// Of these steps, and of the critical path beside them. Cost: a pass over both.
Concurrency concurrency(std::span<Step const> steps, std::span<PathSegment const> path, std::uint32_t cpus,
                        Duration length);

// Sections profile.*.
void add_parallelism(SectionWriter& writer, std::vector<Step> const& steps, Duration length);

}  // namespace parcast::view
