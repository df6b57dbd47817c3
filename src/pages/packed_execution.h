// Executions as elements of a report, as many timelines of them as a file has room for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "forecast/forecast.h"
#include "page/content.h"

namespace parcast::pages {

// All executions of a file.
inline constexpr std::size_t most_packed_bytes = std::size_t{48} << 20;

struct ReportElements {
    std::vector<page::Element> elements;
    std::vector<std::string> notes;  // what is left out, and what that means to a reader; sentences
};

struct PackedExecution {
    std::string scheduler;       // or the schedule of a task graph
    std::uint32_t schedule = 0;  // Row::schedule
    std::uint32_t cpus = 1;
    bool has_timeline = true;
    std::string packed;
    std::string without_timeline;  // the same, accounts alone
};

// Frees the row's timeline. Rows may be packed at once.
PackedExecution packed_execution(forecast::Forecast const& forecast, Row& row);

// Timelines as long as they fit, accounts for all, and a note on those that do not. With a simulator in the
// report they only stand in for it.
void add_executions(ReportElements& report, std::vector<PackedExecution> executions, bool has_simulator);

}  // namespace parcast::pages
