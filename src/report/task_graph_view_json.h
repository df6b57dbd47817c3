// `parcast.view-taskgraph/1`, what the page knows of a task graph before its first execution:
// docs/formats/view-taskgraph.schema.json.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"

namespace parcast::report {

// Names of tasks and precedences between them, by group: what a page of many tasks has room for. Lent.
struct TaskGroups {
    std::span<std::uint32_t const> first_task;   // by group, and the number of tasks at the end
    std::span<std::string const> names;          // by group, or none
    std::vector<std::uint32_t> first_successor;  // by group, and the number of successors at the end
    std::vector<std::uint32_t> successors;
};

struct GraphPageOffer {
    bool simulate = true;                // other numbers of CPUs, and the schedules that were not predicted
    bool compare = false;                // there is a second program
    std::vector<std::string> schedules;  // that can be asked for, the one that is shown at first in front
    std::vector<Scaling> scaling;        // how far it scales, by predicted schedule
    std::vector<std::string> notes;      // what was left out, sentences
};

// Text on one line, the whole answer of `parcast predict GRAPH --json` in it.
std::string task_graph_view_json(Answer const& prediction, TaskGroups const& groups,
                                 GraphPageOffer const& offer, std::string_view version);

}  // namespace parcast::report
