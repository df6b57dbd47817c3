// What to change first in a program of messages: its ranks, computations, messages and collective operations,
// and the network. All of it is tried by replays.

#pragma once

#include "answer/advice.h"
#include "core/result.h"
#include "forecast/advise.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

// Tries the `question.top` ranks, computations by name and tags with most on the critical path, and
// the rank that computes most; all collective operations and values of the network. Rows are in the order
// of what half of each brings. Empty where the program deadlocks. Errors: those of replays. REQUIRES: a
// message program without a sweep.
Result<Advice> advise_messages(Forecast const& forecast, AdviceQuestion const& question);

}  // namespace parcast::forecast
