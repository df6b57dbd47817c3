// What a prediction means, in a few sentences: how far the program scales, what stops it, what to try.

#pragma once

#include <string>
#include <vector>

#include "report/prediction.h"

namespace parcast::report {

// Empty if nothing but one CPU was predicted, or no replay ended, or not the one on one CPU.
std::vector<std::string> verdict(Prediction const& prediction);

}  // namespace parcast::report
