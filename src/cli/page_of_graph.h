// What `view` and `report` of a task graph have in common.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "forecast/task_graph.h"
#include "program/task_graph.h"
#include "report/view_json.h"

namespace parcast::cli {

// What is compared in a page if nothing else is asked for.
std::vector<std::string> usual_schedules();

// Too many tasks for a browser.
std::optional<Error> reason_not_to_show(TaskGraph const& graph, std::string const& file);

// What a page may ask for about the graph, which has to outlive it: there is no source text, and nothing was recorded.
report::PageOffer page_offer(forecast::TaskGraphForecast const& predicted);

}  // namespace parcast::cli
