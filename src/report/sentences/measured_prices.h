// What recording an event, and taking turns on the one CPU, cost the program, by unrecorded runs: a sentence
// each, with what the prediction does about it.

#pragma once

#include <string>

#include "answer/scale.h"

namespace parcast::report {

// Empty if nothing was measured, or had to be.
std::string event_price_text(ScaledCount const& count);
std::string turns_text(ScaledCount const& count);

}  // namespace parcast::report
