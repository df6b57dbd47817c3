// The condensed task graph of P processes (Adve 1993, section 2.1): what a process does of a loop that is
// divided before it begins is one task. With as many processors it takes the same time as the original under
// that division, and has far fewer tasks.

#pragma once

#include <cstdint>

#include "program/task_graph.h"

namespace parcast {

// Every group of more than P tasks becomes P tasks that are blocks of it, the first n mod P of them one
// longer; each task is pinned to the process with its number in the group. Precedences and resource use stay.
// REQUIRES: the graph passes its check; processes >= 1.
TaskGraph condensed(TaskGraph const& graph, std::uint32_t processes);

}  // namespace parcast
