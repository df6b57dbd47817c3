// The generalised lambda distribution with a given skewness and kurtosis: Newton's method in (w, c), damped,
// from the nearest of some seventy shapes all over the region; its slopes come from the nodes of the same
// quadrature.
//
// Cost: about 10 us.

#pragma once

#include <optional>

#include "stochastic/lambda_shape.h"

namespace parcast::stochastic {

// The shape with this skewness and kurtosis, or nothing where there is none (or none is found). Kurtosis down
// to 0.1 % below the least that a shape with this skewness has counts as that least: the exponential law lies
// on this edge, and a sum of two of them just above or below.
std::optional<LambdaShape> fitted_lambda(double skewness, double kurtosis);

}  // namespace parcast::stochastic
