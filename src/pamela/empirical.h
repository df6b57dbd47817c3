// The moments of measured samples, and how far they are to be trusted.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/moments.h"
#include "core/result.h"

namespace parcast::pamela {

struct SampleMoments {
    std::size_t samples = 0;
    Moments moments;
    Moments standard_errors;  // of each of the four, by leaving out one sample at a time (jackknife)
};

// Numbers separated by blanks, commas, semicolons or line ends; comments from # or % to the end of the line.
// Errors: malformed (what is no number, with its line), out_of_range (fewer than two numbers).
Result<std::vector<double>> samples_in(std::string_view text, std::string_view name);

// Mean, variance with n - 1, skewness and kurtosis as ratios of central moments with n.
// REQUIRES: two or more samples.
SampleMoments moments_of_samples(std::vector<double> const& samples);

}  // namespace parcast::pamela
