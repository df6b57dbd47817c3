// A random time on a command line: its mean, and its coefficient of variation unless that is 1: "12.5,2",
// "12.5".

#pragma once

#include <string_view>

#include "core/result.h"
#include "model/renewal/renewal.h"

namespace parcast::cli {

// Errors: malformed, out_of_range (negative, infinite, NaN).
Result<model::RandomInterval> parse_mean_and_cv(std::string_view text);

}  // namespace parcast::cli
