// What the readers of task graphs share.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/result.h"
#include "program/task_graph.h"

namespace parcast {

// Line and column of a byte of a text, for messages: both from 1, a column is a byte. Cost: linear, so that
// it is asked once, for the message.
SourcePosition place_in(std::string_view text, std::size_t offset, std::string file);

// The unit of the times in a task graph, and a time with its unit in nanoseconds.

inline constexpr char const* time_units = "ns, us, ms or s";

// In ns. None: not one of time_units.
std::optional<double> unit_ns(std::string_view word);

// What is within rounding of a whole number of nanoseconds is that number, so that 3.7 us + 0.1 us and 3.8 us
// end at the same instant.
double in_ns(double time, double unit_ns);

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
