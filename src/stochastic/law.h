// A law that has given moments: what maxima, quantiles and random times are taken from. In this order: a single
// value; the exponential, shifted; the generalised lambda distribution (mirrored for a negative skewness); two
// points; a four-parameter beta; the generalised Pareto law, which matches three moments only.
//
// Source: Ramberg and others, "A probability distribution and its uses in fitting data", in the parametrisation
// l3 = w c, l4 = (1 - w) c, which is regular at the exponential and the logistic law.

#pragma once

#include <string_view>

#include "core/moments.h"

namespace parcast::stochastic {

enum class LawKind : unsigned char { single_value, exponential, lambda, two_points, beta, pareto };

class Law {
public:
    // Fits; about 10 us where it is a generalised lambda distribution. Moments that no law has (attainable()) are
    // fitted by the two points nearest to them, and matches_all() says no.
    static Law fitted_to(Moments const& moments);

    LawKind kind() const { return kind_; }
    std::string_view name() const;  // "generalised lambda distribution"
    bool matches_all() const { return matches_all_; }  // all four moments

    // The value that a fraction `lower` of the outcomes stays below; `upper` = 1 - lower, given apart because it
    // keeps its digits near 1. REQUIRES: both in [0, 1].
    double quantile(double lower, double upper) const;
    double quantile(double lower) const { return quantile(lower, 1 - lower); }

    // The inverse of quantile(). 
    double cumulative(double value) const;

private:
    Law() = default;
    LawKind kind_ = LawKind::single_value;
    bool matches_all_ = true;
    bool mirrored_ = false;
    double location_ = 0;
    double scale_ = 0;
    double first_shape_ = 0;
    double second_shape_ = 0;
};

}  // namespace parcast::stochastic
