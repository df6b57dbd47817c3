// The generalised lambda distribution without its location and scale: the quantile function
//
//     z(u) = (u^(w c) - 1) / c - ((1 - u)^((1 - w) c) - 1) / c,      at c = 0: w ln u - (1 - w) ln (1 - u)
//
// with w in [0, 1]. w = 0: the generalised Pareto law (c = 0: the exponential); w = 1/2: symmetric (c = 0:
// the logistic, c = 2 or w = 0, c = 1: the uniform law). It has four moments where c max(w, 1 - w) > -1/4.
//
// Source: Ramberg, Tadikamalla, Dudewicz and Mykytka, Technometrics 21 (1979), with l3 = w c, l4 = (1 - w) c.

#pragma once

#include "core/moments.h"

namespace parcast::stochastic {

struct LambdaShape {
    double w = 0;
    double c = 0;
};

// z at u = exp(log_lower) = 1 - exp(log_upper). May be infinite at 0 and 1.
double lambda_quantile(LambdaShape const& shape, double log_lower, double log_upper);

// The probability of values up to z. Remembers where it found the last one: values near each other are quick.
class LambdaCumulative {
public:
    explicit LambdaCumulative(LambdaShape const& shape);
    double operator()(double z);

private:
    LambdaShape shape_;
    double lowest_;
    double highest_;
    double logit_ = 0;
};

// The greatest of `count` draws of z. By quadrature: as beta functions these lose all digits near c = 0.
// REQUIRES: count >= 1.
Moments lambda_maximum(LambdaShape const& shape, double count);

// The shape with w = 0 (a negative skewness: w = 1) of this skewness; of the greatest that leaves a usable
// kurtosis where it is greater (about 6).
LambdaShape pareto_shape(double skewness);

// For the shapes with w = 0. REQUIRES: c > -1/4.
double pareto_skewness(double c);
double pareto_kurtosis(double c);

// Powers of u and 1 - u by which the fourth power of z grows at the ends: 0 where it stays bounded.
struct EndPowers {
    double lower = 0;
    double upper = 0;
};
EndPowers end_powers(LambdaShape const& shape);

}  // namespace parcast::stochastic
