// What the readers of task graphs share.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/result.h"
#include "core/time_unit.h"
#include "program/task_graph.h"

namespace parcast {

// Line and column of a byte of a text, for messages: both from 1, a column is a byte. Cost: linear, so that
// it is asked once, for the message.
SourcePosition place_in(std::string_view text, std::size_t offset, std::string file);

// The last step of every reader of task graphs: the check of the graph as a whole.

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
