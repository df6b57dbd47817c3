// A thread that creates others in a loop works a little between two creations, and between two joins. Each
// such segment is a task with precedences of its own, so that a plain fork and join looks like neither: the
// second thread waits for a little more than the first. Here what is short becomes part of its neighbour, and
// the loop one fork and one join. Private to task_graph.cpp.

#pragma once

#include <cstddef>
#include <cstdint>

#include "extract/tasks/segment_graph.h"

namespace parcast::extract {

// A path through the graph gets longer by no more than this share of the execution's time in all.
inline constexpr double most_lengthened = 0.01;

struct MergedSegments {
    std::size_t segments = 0;
    std::int64_t work_ns = 0;  // so much later is the last thread that is created, at most
};

// The segment after a creation that waits for nothing else becomes part of that before the creation; a
// segment before a join that nothing else waits for, of that after it. The shortest first, as long as all of
// them together stay below the limit. Cost: time O(n log n).
MergedSegments merge_creation_loops(SegmentGraph& graph);

}  // namespace parcast::extract
