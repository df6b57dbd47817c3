// What it costs the threads of a program to take turns on the one CPU: a sentence, and what the prediction
// does about it.

#pragma once

#include <string>

#include "answer/scale.h"

namespace parcast::report {

// Empty if nothing was asked for.
std::string turns_text(ScaledCount const& count);

}  // namespace parcast::report
