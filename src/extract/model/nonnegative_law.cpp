#include "extract/model/nonnegative_law.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stochastic/law.h"

namespace parcast::extract {

namespace {

constexpr double most_clipped = 0.001;  // of the mean
constexpr double uncertain = 0.001;     // of the outcomes

// No time has less skewness: two points of which one is 0.
double least_skewness(double coefficient_of_variation) {
    return coefficient_of_variation - 1 / coefficient_of_variation;
}

}  // namespace

double clipped_share(Moments const& moments) {
    auto const law = stochastic::Law::fitted_to(moments);
    double const negative = law.cumulative(0);
    constexpr int pieces = 64;
    double added = 0;
    for (int piece = 0; piece < pieces; ++piece)
        added += std::max(0.0, -law.quantile(negative * (piece + 0.5) / pieces)) * negative / pieces;
    return added / moments.mean;
}

Moments nonnegative(Moments const& moments) {
    if (moments.mean <= 0)
        return deterministic(std::max(0.0, moments.mean));
    if (moments.variance == 0 || clipped_share(moments) < most_clipped)
        return moments;
    double const cv = std::sqrt(moments.variance) / moments.mean;
    double const least = least_skewness(cv);
    double const skewness = std::max(moments.skewness, least);
    std::array const shapes{
        Moments{moments.mean, moments.variance, skewness,
                std::max(moments.kurtosis, skewness * skewness + 1)},
        Moments{moments.mean, moments.variance, 2 * cv, 3 + 6 * cv * cv},
    };
    auto const fits = std::ranges::find_if(
        shapes, [](Moments const& shape) { return clipped_share(shape) < most_clipped; });
    return fits != shapes.end() ? *fits : Moments{moments.mean, moments.variance, least, least * least + 1};
}

double certain_part(Moments const& moments) {
    if (moments.variance == 0)
        return moments.mean;
    return std::clamp(stochastic::Law::fitted_to(moments).quantile(uncertain), 0.0, moments.mean);
}

}  // namespace parcast::extract
