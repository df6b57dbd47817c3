// What lets which task go on in a task graph with a processor for every task, as a graph of causes
// (timeline/cause_graph.h): the extended critical path weighs tasks as it weighs the work of threads.

#pragma once

#include <cstdint>
#include <vector>

#include "program/task_graph.h"
#include "timeline/cause_graph.h"

namespace parcast::analysis {

struct TaskGraphCauses {
    CauseGraph causes;
    std::vector<EventNumber> end_of;  // by TaskId: the event at which it ends
    double units_per_ns = 1;          // of the graph's instants: times may be fractions of ns
};

// REQUIRES: the graph passes its check. Cost: O((tasks + precedences) * log(tasks)).
TaskGraphCauses causes_of(TaskGraph const& graph);

}  // namespace parcast::analysis
