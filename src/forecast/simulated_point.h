// Simulated runs of a model as a point of an answer.

#pragma once

#include <span>

#include "answer/answer.h"
#include "answer/question.h"
#include "ensemble/process_run.h"

namespace parcast::forecast {

// `workers`: threads that simulate; 0: one for each CPU.
ensemble::EnsembleOptions ensemble_options(SimulationLimits const& limits, unsigned workers);

// `levels` of quantiles, per cent; times are divided by `divisor`, which is not 0.
SimulatedPoint simulated_point(ensemble::Ensemble const& ensemble, std::span<double const> levels,
                               double divisor);

}  // namespace parcast::forecast
