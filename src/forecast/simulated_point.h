// Simulated runs of a model as a point of an answer.

#pragma once

#include <span>

#include "answer/answer.h"
#include "ensemble/process_run.h"

namespace parcast::forecast {

// `levels` of quantiles, per cent; times are divided by `divisor`, which is not 0.
SimulatedPoint simulated_point(ensemble::Ensemble const& ensemble, std::span<double const> levels,
                               double divisor);

}  // namespace parcast::forecast
