// The moments of a law as a sample shows them, with 95 % confidence intervals: Student's for the mean; for
// variance, skewness and kurtosis by the jackknife (Tukey 1958; Efron 1982), of the variance's logarithm, so
// that no interval has negative variances.
//
// Assumption: independent values. Intervals of skewness and kurtosis are too narrow where the law has heavy
// tails, as no sample shows the values that these moments live on.

#pragma once

#include <span>

#include "core/moments.h"

namespace parcast::ensemble {

struct SampleMoments {
    // Variance with n - 1; skewness and kurtosis as G1 and G2 + 3, which are unbiased for a normal law.
    Moments moments;
    ConfidenceInterval mean, variance, skewness, kurtosis;
};

// REQUIRES: at least five values. Cost: linear.
SampleMoments sample_moments(std::span<double const> values);

// One value that is known has no width.
SampleMoments known_value(double value);

}  // namespace parcast::ensemble
