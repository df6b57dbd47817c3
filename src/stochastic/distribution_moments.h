// The moments of a law from its distribution function H, by integration by parts about a point c in the
// middle of it:
//
//     E[f(X)] = f(c) - integral of f' H below c + integral of f' (1 - H) above c
//
// so that neither tail is a difference of large numbers. The stretches between the given points have a rule
// of their own each: H is smooth at the scale of a stretch, whatever it does at its ends.
//
// Cost: some forty values of H a stretch; ten stretches.

#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/moments.h"
#include "stochastic/power_sums.h"
#include "stochastic/unit_nodes.h"

namespace parcast::stochastic {

// H at a value, and what it lacks to 1.
struct Share {
    double below = 0;
    double above = 1;
};

// The fractions of a law between which its stretches lie.
struct Knot {
    double lower = 0;
    double upper = 1;
};
inline constexpr Knot stretch_knots[] = {{1e-22, 1},       {1e-8, 1},  {1e-3, 1 - 1e-3},
                                         {0.05, 0.95},     {0.5, 0.5}, {0.95, 0.05},
                                         {1 - 1e-3, 1e-3}, {1, 1e-8},  {1, 1e-22}};

// share_at(value) -> Share. REQUIRES: points ascend; all of the law but a negligible part is between the
// first and the last.
template <class ShareAt>
PowerSums sums_between(std::span<double const> points, double middle, ShareAt const& share_at) {
    PowerSums sums(middle);
    sums.add_outcome(middle, 1);
    auto const stretch = [&](double from, double to, bool is_above) {
        for (auto const& node : few_unit_nodes()) {
            double const value = from + (to - from) * node.lower;
            Share const share = share_at(value);
            sums.subtract_below(value, (to - from) * node.weight * (is_above ? -share.above : share.below));
        }
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        double const split = std::clamp(middle, points[i - 1], points[i]);
        if (split > points[i - 1])
            stretch(points[i - 1], split, false);
        if (points[i] > split)
            stretch(split, points[i], true);
    }
    return sums;
}

// The moments of the greatest and of the least of `count` outcomes of a law on [0, end): with
// quantile(lower, upper) and share_at(value). `knot_of` gives the fraction of one outcome that a fraction
// of the extreme stands for, `share_of` the other way round.
template <class OneLaw, class KnotOf, class ShareOf>
Moments extreme_moments(OneLaw const& one, KnotOf const& knot_of, ShareOf const& share_of) {
    std::vector<double> points{0};
    double middle = 0;
    for (auto const& knot : stretch_knots) {
        auto const own = knot_of(knot);
        points.push_back(std::max(points.back(), one.quantile(own.lower, own.upper)));
        if (knot.lower == 0.5)
            middle = points.back();
    }
    return sums_between(points, middle, [&](double value) { return share_of(one.share_at(value)); })
        .moments();
}

// The logarithm of a fraction, from the smaller of it and what it lacks to 1.
inline double log_of_fraction(double fraction, double complement) {
    return fraction < 0.5 ? std::log(fraction) : std::log1p(-complement);
}

template <class OneLaw>
Moments greatest_moments(OneLaw const& one, double count) {
    auto const knot_of = [&](Knot knot) {
        double const log_lower = log_of_fraction(knot.lower, knot.upper) / count;
        return Knot{std::exp(log_lower), -std::expm1(log_lower)};
    };
    return extreme_moments(one, knot_of, [&](Share share) {
        double const log_below = count * log_of_fraction(share.below, share.above);
        return Share{std::exp(log_below), -std::expm1(log_below)};
    });
}

template <class OneLaw>
Moments least_moments(OneLaw const& one, double count) {
    auto const knot_of = [&](Knot knot) {
        double const log_upper = log_of_fraction(knot.upper, knot.lower) / count;
        return Knot{-std::expm1(log_upper), std::exp(log_upper)};
    };
    return extreme_moments(one, knot_of, [&](Share share) {
        double const log_above = count * log_of_fraction(share.above, share.below);
        return Share{-std::expm1(log_above), std::exp(log_above)};
    });
}

}  // namespace parcast::stochastic
