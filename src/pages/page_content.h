// What a page shows, for `view` and `report` alike: the forecast of a program that has runs, and what lies
// beside it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "forecast/forecast.h"
#include "pages/source_text.h"
#include "program/task_graph.h"
#include "report/chart/measured_point.h"
#include "report/json/view_json.h"

namespace parcast::pages {

struct PageContent {
    forecast::Forecast forecast;
    std::vector<std::string> schedulers;  // to choose from; the first one is shown at first
    std::vector<report::MeasuredPoint> measured;
    bool source_text = true;
    ReadText read_text;  // of a source file
    std::string_view parcast_version;
    std::vector<std::uint32_t> cpus_to_come =
        {};  // counts whose runs are being made; empty: the forecast is complete
    std::vector<BindingOnCpus> bindings =
        {};                  // what is known of all of them, without a search; empty: nothing
    bool signature = false;  // that of its threads can be asked for
};

// The schedules of a task graph that a page compares by default.
std::vector<std::string> usual_schedules();

// A browser has room for so many tasks. Errors: inconsistent.
Result<void> check_size(TaskGraph const& graph, std::string const& file);

// All schedulers of recordings; of a task graph the schedules that were predicted, of messages the networks
// that have a name.
std::vector<std::string> schedulers_of(forecast::Forecast const& forecast);

// The same, but every schedule that can give a different result for the graph.
std::vector<std::string> possible_schedulers(forecast::Forecast const& forecast);

// What a server can answer about the content, which it lends.
report::PageOffer page_offer(PageContent const& content);

std::string overview_json(PageContent const& content, report::PageOffer const& offer);

}  // namespace parcast::pages
