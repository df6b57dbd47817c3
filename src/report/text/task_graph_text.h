// `parcast predict GRAPH` as text: the graph, a table, what it means. One schedule gets a row a number of
// processors with what was lost; a few are compared side by side; many get a row each.

#pragma once

#include <string>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

std::string task_graph_text(Answer const& prediction, Layout const& layout);

// What all speed-ups refer to: one baseline for all schedules, so that the one with the higher speed-up is
// the faster one. Empty where it is the first row of the only one.
std::string baseline_of(Answer const& prediction);

}  // namespace parcast::report
