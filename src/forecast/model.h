// What is believed of the execution time of a model in the PAMELA language, at each point of a sweep: by
// formula, by simulation, by mean value analysis.

#pragma once

#include <string>

#include "answer/question.h"
#include "core/result.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

// Which of the question's parts contradict each other; before the model is read.
Result<void> check_sweep(SweepQuestion const& question);

// Errors: unasked (a name or a value is missing), those of the expressions.
Result<Forecast> forecast_model(std::string const& file, GivenModel given, Question const& question);

}  // namespace parcast::forecast
