// What `view` and `report` of a task graph have in common.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "forecast/forecast.h"
#include "program/task_graph.h"
#include "report/json/view_json.h"
#include "view/execution.h"

namespace parcast::cli {

// A browser keeps names, accounts and a lane of each. Beyond these it would need gigabytes.
inline constexpr std::size_t most_tasks_in_page = 2'000'000;

// What is compared in a page if nothing else is asked for.
std::vector<std::string> usual_schedules();

// Too many tasks for a browser.
std::optional<Error> reason_not_to_show(TaskGraph const& graph, std::string const& file);

// What a page may ask for about the graph, which has to outlive it: there is no source text, and nothing was
// recorded.
report::PageOffer page_offer(forecast::Forecast const& predicted);

// What an execution of it means. The answer is lent.
view::Meaning meaning_of(Answer const& answer);

}  // namespace parcast::cli
