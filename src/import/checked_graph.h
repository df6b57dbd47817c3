// The last step of every reader of task graphs: the check of the graph as a whole.

#pragma once

#include <utility>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// The graph, if it passes check(). The message about a cycle gets the place of one of its groups:
// place_of(TaskGroupId) is a SourcePosition.
template <class PlaceOf>
Result<TaskGraph> checked_graph(TaskGraph graph, PlaceOf place_of) {
    auto checked = check(graph);
    if (checked)
        return graph;
    auto error = std::move(checked.error());
    if (auto const group = group_in_cycle(graph))
        error.place = place_of(*group);
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace parcast
