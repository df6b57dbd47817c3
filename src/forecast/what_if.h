// Replays of a program as it would be after a change.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/advice.h"
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

// Adds what the change brings to each row. Errors: those of `changed`.
Result<void> add_what_if(Answer& answer, ThreadProgram const& program, ReplayOn const& on,
                         Scenario const& scenario);

// What to change first on each count that the forecast has: all work by its share of the extended critical
// path, and of the `top` functions and locks what less of them brings in replays. REQUIRES: the forecast is
// of threads. Errors: those of the replays.
Result<Advice> advise(Forecast forecast, std::size_t top, unsigned workers);

}  // namespace parcast::forecast
