// Executions of a forecast's program as a page draws them (docs/formats/execution.md): the runs that the
// forecast kept, and others on demand. The one place where pages of recordings and of task graphs differ in
// how they are executed.

#pragma once

#include <cstdint>
#include <string>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "view/replay_on_demand.h"
#include "view/sections.h"

namespace parcast::pages {

struct ExecutionRequest {
    std::uint32_t cpus = 1;
    std::string scheduler;  // its word; for a task graph the name of a schedule
    view::Detail detail = view::Detail::timeline;
    std::string scenario = {};  // a change of a program of threads (program/work_change.h); empty: none
};

// A row's scheduler or schedule.
std::string scheduler_of(Row const& row, Answer const& answer);

// A run of the forecast, with or without its timeline. REQUIRES: a recording or a task graph.
view::Bytes execution_bytes(forecast::Forecast const& forecast, Row const& row);

// Executes the program once more, perhaps changed. Errors: malformed (no such scheduler), those of
// forecast::execute and view::changed_by, inconsistent (a change of a task graph).
// REQUIRES: a recording or a task graph.
Result<view::Bytes> execution_bytes(forecast::Forecast const& forecast, ExecutionRequest const& request);

}  // namespace parcast::pages
