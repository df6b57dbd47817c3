#include "core/moments.h"

#include <cmath>

namespace parcast {

namespace {

// Central moments about a point that need not be the mean.
struct MomentsAbout {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
};

// Expanded about the mean: raw moments would cancel where the mean is many deviations away from 0.
MomentsAbout about(double point, Moments const& moments) {
    double const shift = moments.mean - point;
    double const second = moments.variance;
    double const third = moments.skewness * second * std::sqrt(second);
    double const fourth = moments.kurtosis * second * second;
    double const square = shift * shift;
    return {shift, second + square, third + 3 * shift * second + shift * square,
            fourth + 4 * shift * third + 6 * square * second + square * square};
}

}  // namespace

Moments deterministic(double value) {
    return {value, 0, 0, 3};
}

Cumulants cumulants_of(Moments const& moments) {
    double const variance = moments.variance;
    return {moments.mean, variance, moments.skewness * variance * std::sqrt(variance),
            (moments.kurtosis - 3) * variance * variance};
}

Moments moments_of(Cumulants const& cumulants) {
    double const variance = cumulants.second;
    if (variance <= 0)
        return deterministic(cumulants.first);
    // One division after the other: the square of a small variance underflows.
    return {cumulants.first, variance, cumulants.third / variance / std::sqrt(variance),
            3 + cumulants.fourth / variance / variance};
}

bool attainable(Moments const& moments) {
    bool const is_finite = std::isfinite(moments.mean) && std::isfinite(moments.variance) &&
                           std::isfinite(moments.skewness) && std::isfinite(moments.kurtosis);
    if (!is_finite || moments.variance < 0)
        return false;
    if (moments.variance == 0)
        return moments.skewness == 0 && moments.kurtosis == 3;
    constexpr double rounding = 1e-9;
    double const least = moments.skewness * moments.skewness + 1;
    return moments.kurtosis >= least * (1 - rounding);
}

Moments operator+(Moments const& left, Moments const& right) {
    auto const a = cumulants_of(left);
    auto const b = cumulants_of(right);
    return moments_of({a.first + b.first, a.second + b.second, a.third + b.third, a.fourth + b.fourth});
}

Moments scaled(double factor, Moments const& moments) {
    if (factor == 0 || moments.variance == 0)
        return deterministic(factor * moments.mean);
    return {factor * moments.mean, factor * factor * moments.variance,
            factor < 0 ? -moments.skewness : moments.skewness, moments.kurtosis};
}

Moments repeated(Moments const& count, Moments const& each) {
    if (count.mean <= 0)
        return deterministic(0);
    auto const n = cumulants_of(count);
    auto const x = cumulants_of(each);
    double const square = x.first * x.first;
    return moments_of({n.first * x.first, n.first * x.second + n.second * square,
                       n.first * x.third + 3 * n.second * x.first * x.second + n.third * square * x.first,
                       n.first * x.fourth + n.second * (4 * x.first * x.third + 3 * x.second * x.second) +
                           6 * n.third * square * x.second + n.fourth * square * square});
}

Moments mixture(double probability, Moments const& then, Moments const& otherwise) {
    double const p = probability;
    double const q = 1 - p;
    double const mean = p * then.mean + q * otherwise.mean;
    auto const a = about(mean, then);
    auto const b = about(mean, otherwise);
    double const variance = p * a.second + q * b.second;
    if (variance <= 0)
        return deterministic(mean);
    return {mean, variance, (p * a.third + q * b.third) / variance / std::sqrt(variance),
            (p * a.fourth + q * b.fourth) / variance / variance};
}

Moments branch(Moments const& condition, Moments const& then, Moments const& otherwise) {
    auto const p = cumulants_of(condition);
    auto const a = cumulants_of(then);
    auto const b = cumulants_of(otherwise);
    Cumulants const d = {a.first - b.first, a.second - b.second, a.third - b.third, a.fourth - b.fourth};
    double const square = d.first * d.first;
    return moments_of(
        {b.first + p.first * d.first, b.second + p.first * d.second + p.second * square,
         b.third + p.first * d.third + 3 * p.second * d.first * d.second + p.third * square * d.first,
         b.fourth + p.first * d.fourth + p.second * (4 * d.first * d.third + 3 * d.second * d.second) +
             6 * p.third * square * d.second + p.fourth * square * square});
}

}  // namespace parcast
