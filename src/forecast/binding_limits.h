// How far is any binding of a program's threads from the best, without a search for it: the least that it
// takes, and what some binding surely reaches (Broberg 2002, paper VII).

#pragma once

#include <cstdint>

#include "answer/binding.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "program/checked_program.h"

namespace parcast::forecast {

// On the counts of the forecast over 1, with how long the threads take that are not bound. `latency_ns`:
// until another processor hears of what a thread did. The program is the forecast's. Errors: those of
// replays. REQUIRES: the forecast is of replayed_forms. Cost: that of a replay with a timeline for programs
// of waits and activations, else of a walk over the operations.
Result<Bindings> binding_limits(CheckedProgram const& program, Forecast const& forecast,
                                std::int64_t latency_ns = 0);

}  // namespace parcast::forecast
