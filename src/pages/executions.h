// Executions of a forecast's program as a page draws them (docs/formats/execution.md): the runs that the
// forecast kept, and others on demand. The one place where pages of recordings and of task graphs differ in
// how they are executed.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "view/replay_on_demand.h"
#include "view/sections.h"

namespace parcast::pages {

struct ExecutionRequest {
    std::uint32_t cpus = 1;
    std::string
        scheduler;  // its word; for a task graph the name of a schedule; for messages the numbers of a
                    // network (view/message_program.h), or given_network
    view::Detail detail = view::Detail::timeline;
    std::string scenario = {};  // a change of a program of threads (program/work_change.h); empty: none
};

// The network that was asked for on the command line.
inline constexpr std::string_view given_network = "given";

// A row's scheduler, schedule or network.
std::string scheduler_of(Row const& row, Answer const& answer);

// A run of the forecast, with or without its timeline. REQUIRES: it has runs; of steps the
// row in which they overlap.
view::Bytes execution_bytes(forecast::Forecast const& forecast, Row const& row);

// Executes the program once more, perhaps changed. Errors: malformed (no such scheduler), those of
// forecast::execute and view::changed_by, inconsistent (a change of a task graph or of messages).
// REQUIRES: it has runs.
Result<view::Bytes> execution_bytes(forecast::Forecast const& forecast, ExecutionRequest const& request);

}  // namespace parcast::pages
