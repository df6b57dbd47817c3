// What `view` and `report` of a task graph have in common.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "program/task_graph.h"
#include "report/task_graph_view_json.h"

namespace parcast::cli {

// What is compared in a page if nothing else is asked for.
std::vector<std::string> usual_schedules();

// Too many tasks for a browser.
std::optional<Error> reason_not_to_show(TaskGraph const& graph, std::string const& file);

// What the overview of a page needs of the graph, which has to outlive it.
report::TaskGroups groups_of(TaskGraph const& graph);

// How far it scales under each schedule that was predicted.
std::vector<Scaling> scaling_by_schedule(Answer const& answer);

}  // namespace parcast::cli
