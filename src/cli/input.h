// The input of a verb, opened once, and the question of the command line put to it.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cli/options/given_options.h"
#include "cli/verbs/predict.h"
#include "core/result.h"
#include "forecast/advise.h"
#include "forecast/forecast.h"

namespace parcast::cli {

using forecast::Input;

// Refuses options that are not for this form before it reads the rest. Errors: those of the form's reader,
// with advice.
Result<Input> open_input(PredictArguments const& arguments, GivenOptions const& given);

// Puts the question of the command line to an input. Errors: those of the machine's file and of the forecast.
Result<forecast::Forecast> forecast_input(Input input, PredictArguments const& arguments);

// What to change first in it. Errors: those of forecast::advise.
Result<Advice> advice_for(forecast::Forecast& forecast, forecast::AdviceQuestion question);

// As many runs at once as the arguments say, else as this machine has CPUs.
unsigned workers(PredictArguments const& arguments);

// What to say when there is no prediction for some counts, or for all.
Error impossible(Answer const& answer);

// "the replay deadlocks on 1 and 4 CPUs: there is no prediction for them". REQUIRES: one at least.
std::string deadlock_message(std::set<std::uint32_t> const& cpus);

}  // namespace parcast::cli
