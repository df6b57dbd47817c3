#include "stochastic/maximum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "stochastic/distribution_moments.h"
#include "stochastic/law.h"
#include "stochastic/power_sums.h"
#include "stochastic/unit_nodes.h"

namespace parcast::stochastic {

namespace {

// A point of [0, 1] with its distance from 1.
struct Fraction {
    double lower = 0;
    double upper = 1;
};

// Fractions of one law where the other is cut into pieces: between the same outcomes the integrand is smooth
// at the scale of the piece, however different the two laws are.
constexpr std::array<double, 9> knots = {0, 1e-8, 1e-3, 0.05, 0.5, 0.95, 1 - 1e-3, 1 - 1e-8, 1};

Fraction fraction_below(Law const& law, double value) {
    double const lower = law.cumulative(value);
    return {lower, 1 - lower};
}

// Outcomes of `law` between two of its fractions, each with the probability that the other side stays below
// it.
template <class Below>
void add_outcomes(PowerSums& sums, Law const& law, Fraction from, Fraction to, Below&& below) {
    double const length = from.lower < 0.5 ? to.lower - from.lower : from.upper - to.upper;
    constexpr double negligible = 1e-18;
    if (length <= negligible)
        return;
    for (auto const& node : few_unit_nodes()) {
        double const value = law.quantile(from.lower + length * node.lower, to.upper + length * node.upper);
        if (std::isfinite(value))
            sums.add_outcome(value, length * node.weight * below(value));
    }
}

void add_outcomes_above(PowerSums& sums, Law const& law, double value) {
    add_outcomes(sums, law, fraction_below(law, value), {1, 0}, [](double) { return 1.0; });
}

// The outcomes of `law` that are greater than those of `other`.
void add_greater(PowerSums& sums, Law const& law, Law const& other) {
    LawCumulative cumulative(other);
    Fraction from = fraction_below(law, other.quantile(knots.front()));  // before, `other` is always greater
    for (std::size_t i = 1; i < knots.size(); ++i) {
        auto const to = fraction_below(law, other.quantile(knots[i], 1 - knots[i]));
        add_outcomes(sums, law, from, to, cumulative);
        from = to;
    }
    add_outcomes_above(sums, law, other.quantile(1, 0));
}

Moments with_value(double value, Law const& law) {
    PowerSums sums(value);
    sums.add_outcome(value, law.cumulative(value));
    add_outcomes_above(sums, law, value);
    return sums.moments();
}

// Where a law has two ends: by the distribution functions between them.
Moments with_ends(Law const& bounded, Law const& other) {
    double const low = bounded.low_end();
    double const high = bounded.high_end();
    std::vector<double> points{low, high};
    for (auto const& knot : stretch_knots)
        for (auto const* law : {&bounded, &other})
            points.push_back(std::clamp(law->quantile(knot.lower, knot.upper), low, high));
    std::ranges::sort(points);
    LawCumulative cumulative(bounded);
    LawCumulative other_cumulative(other);
    double const middle = std::clamp(std::max(bounded.quantile(0.5), other.quantile(0.5)), low, high);
    auto sums = sums_between(points, middle, [&](double value) {
        double const below = cumulative(value) * other_cumulative(value);
        return Share{below, 1 - below};
    });
    // All that is above the end counts as the end so far.
    sums.add_outcome(high, other_cumulative(high) - 1);
    add_outcomes_above(sums, other, high);
    return sums.moments();
}

Moments maximum_of_laws(Moments const& left, Moments const& right);

// Given which of its points the law takes, it is a value: ties need no rule.
Moments with_two_points(Law const& points, Moments const& other) {
    double const low = points.quantile(0);
    double const high = points.quantile(1);
    double const probability = 1 - points.cumulative(low);
    return mixture(probability, maximum_of_laws(deterministic(high), other),
                   maximum_of_laws(deterministic(low), other));
}

Moments maximum_of_laws(Moments const& left, Moments const& right) {
    auto a = Law::fitted_to(left);
    auto b = Law::fitted_to(right);
    if (a.kind() == LawKind::two_points)
        return with_two_points(a, right);
    if (b.kind() == LawKind::two_points)
        return with_two_points(b, left);
    if (a.kind() == LawKind::single_value && b.kind() == LawKind::single_value)
        return deterministic(std::max(left.mean, right.mean));
    if (a.kind() == LawKind::single_value)
        return with_value(left.mean, b);
    if (b.kind() == LawKind::single_value)
        return with_value(right.mean, a);
    bool const ends_later = !a.has_ends() || b.high_end() > a.high_end();
    if (b.has_ends() && ends_later)
        std::swap(a, b);
    if (a.has_ends())
        return with_ends(a, b);
    PowerSums sums(std::max(left.mean, right.mean));
    add_greater(sums, a, b);
    add_greater(sums, b, a);
    return sums.moments();
}

auto key(Moments const& moments) {
    return std::tie(moments.mean, moments.variance, moments.skewness, moments.kurtosis);
}

}  // namespace

Moments maximum_of(double count, Moments const& each) {
    if (count < 1)
        return deterministic(0);
    if (count == 1 || each.variance <= 0)
        return each;
    auto const exact = Law::gamma_or_beta(each);
    return (exact ? *exact : Law::fitted_to(each)).maximum_of(count);
}

Moments maximum(Moments const& left, Moments const& right) {
    if (left == right)
        return maximum_of(2, left);
    constexpr double clearly = 8;  // deviations
    auto const& [lesser, greater] = key(left) < key(right) ? std::tie(left, right) : std::tie(right, left);
    double const deviation = std::sqrt(std::max(0.0, left.variance) + std::max(0.0, right.variance));
    if (greater.mean - lesser.mean >= clearly * deviation)
        return greater;
    return maximum_of_laws(lesser, greater);
}

}  // namespace parcast::stochastic
