// What explains that a program was measured faster or slower than predicted, in sentences.

#pragma once

#include <string>
#include <vector>

#include "answer/scale.h"

namespace parcast::report {

// Largest cause first; empty for a count that was not measured or whose error is within a percent.
std::vector<std::string> explanation(ScaledCount const& count);

}  // namespace parcast::report
