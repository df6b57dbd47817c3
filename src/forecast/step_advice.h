// What to change first in a program of steps: the computing of its ranks, and the network.

#pragma once

#include "answer/advice.h"
#include "core/result.h"
#include "forecast/advise.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

// Tries the computing of all ranks, of the `question.top` ranks that hold up most of the steps and of the one
// that computes most, and all values of the network. A count for each row of the forecast: the standard
// algorithm, the overestimate, and overlapped. Errors: those of replays. REQUIRES: a program of steps
// without a sweep.
Result<Advice> advise_steps(Forecast const& forecast, AdviceQuestion const& question);

}  // namespace parcast::forecast
