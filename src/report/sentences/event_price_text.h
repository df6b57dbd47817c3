// What recording an event took in this program, by unrecorded runs: a sentence, and whether the prediction
// uses it.

#pragma once

#include <string>

#include "answer/scale.h"

namespace parcast::report {

// Empty if nothing was measured, or had to be.
std::string event_price_text(ScaledCount const& count);

}  // namespace parcast::report
