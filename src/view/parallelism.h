// The parallelism of an execution as the page draws it, with its levels of detail, and what it means.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "answer/run_sentences.h"
#include "core/time.h"
#include "timeline/interval.h"
#include "timeline/parallelism.h"
#include "timeline/path_segment.h"
#include "view/sections.h"

namespace parcast::view {

// Of an execution: `steps` are the parallelism of its `rows`. Cost: a pass over the steps and the rows of
// the path, and a search in the rows for each segment of it.
Concurrency concurrency(IntervalColumns const& rows, std::span<ParallelismStep const> steps,
                        std::span<PathSegment const> path, std::uint32_t cpus, Duration length);

// Sections profile.*.
void add_parallelism(SectionWriter& writer, std::vector<ParallelismStep> const& steps, Duration length);

}  // namespace parcast::view
