// A program as it would be after a change, executed on the numbers of CPUs of its forecast.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "forecast/forecast.h"
#include "machine/machine.h"
#include "program/work_change.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

struct ReplayOn {
    Machine machine;  // but for the number of CPUs
    simulate::Pairing pairing = simulate::Pairing::any;
    unsigned workers = 1;
};

// Times on each of the counts, ns; none: that replay deadlocks. Errors: those of the replay.
Result<std::vector<std::optional<double>>> times_on(ThreadProgram const& program, ReplayOn const& on,
                                                    std::span<std::uint32_t const> cpus);

// The time of a graph on so many CPUs, under the first schedule of its forecast, ns. Errors: those of
// model::execute.
Result<double> time_on(TaskGraph const& graph, Forecast const& forecast, std::uint32_t cpus);

// Adds what the changes of the question bring to each row; of a task graph, to those of the first schedule.
// Errors: those of `changed`. REQUIRES: not a model.
Result<Forecast> with_what_if(Forecast forecast, Question const& question);

// How sure the gain of each change is. Errors: those of the replays. REQUIRES: with_what_if, add_ranges.
Result<void> add_what_if_ranges(Forecast& forecast, Question const& question);

}  // namespace parcast::forecast
