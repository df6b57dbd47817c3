// Segments of threads, and the run that finds what they wait for.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/id.h"
#include "core/result.h"
#include "program/thread_program.h"

namespace parcast::extract {

// The segments of threads between synchronisations and what they wait for, before they become tasks: a graph
// of segments and of points, which take no time. Private to task_graph.cpp.

using NodeId = Id<struct SegmentNodeTag>;

struct SegmentNode {
    std::int64_t work_ns = 0;
    ThreadId thread;                // none: a point
    bool follows_creation = false;  // its thread had just created another one
    bool precedes_join = false;     // then its thread waits for another one to end
};

// A lock in one segment.
struct LockUse {
    NodeId node;
    std::uint32_t object = 0;
    std::int64_t held_ns = 0;
    bool is_taken = true;  // there; else it is held since a segment before
};

struct SegmentGraph {
    std::vector<SegmentNode> nodes;
    std::vector<std::pair<NodeId, NodeId>> edges;  // before, after
    std::vector<LockUse> locks;
    std::int64_t waiting_ns = 0;  // asleep, or in input and output
    std::int64_t time_ns = 0;     // of the execution with a processor for every thread

    NodeId add(SegmentNode node) {
        nodes.push_back(node);
        return NodeId(nodes.size() - 1);
    }
};

// Runs a program of threads with a processor for every thread, without locks, to see which segment waits for
// which. Private to task_graph.cpp.

// Errors: inconsistent (threads that wait for what nobody gives).
Result<SegmentGraph> segments_of(ThreadProgram const& program);

}  // namespace parcast::extract
