#include "stochastic/maximum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "stochastic/law.h"

namespace parcast::stochastic {

namespace {

// A point of [0, 1] with its distance from 1.
struct Fraction {
    double lower = 0;
    double upper = 1;
};

struct UnitNode {
    Fraction at;
    double weight = 0;
};

constexpr double first_t = -4;
constexpr double step = 1.0 / 7;
constexpr std::size_t unit_nodes = 57;

// Tanh-sinh rule on [0, 1].
std::array<UnitNode, unit_nodes> const& tanh_sinh() {
    static auto const nodes = [] {
        std::array<UnitNode, unit_nodes> result{};
        for (std::size_t i = 0; i < unit_nodes; ++i) {
            double const t = first_t + static_cast<double>(i) * step;
            double const s = std::acos(-1.0) * std::sinh(t);
            double const lower = 1 / (1 + std::exp(-s));
            double const upper = 1 / (1 + std::exp(s));
            result[i] = {{lower, upper}, step * std::acos(-1.0) * std::cosh(t) * lower * upper};
        }
        return result;
    }();
    return nodes;
}

// Where the law of one side has its outcomes, in fractions of the other side: between two of these points the
// integrand is smooth at the scale of their distance, however different the two laws are.
constexpr std::array<double, 9> knots = {0, 1e-9, 1e-3, 0.05, 0.5, 0.95, 1 - 1e-3, 1 - 1e-9, 1};

// The maximum as weighted outcomes; most: pieces of both sides.
class Outcomes {
public:
    void add(double value, double weight) {
        values_[count_] = value;
        weights_[count_++] = weight;
    }

    // Divided by the sum of the weights: 1 but for what the quadrature misses.
    Moments moments() const {
        double total = 0;
        double mean = 0;
        double const origin = values_[0];
        for (std::size_t i = 0; i < count_; ++i) {
            total += weights_[i];
            mean += weights_[i] * (values_[i] - origin);
        }
        mean = origin + mean / total;
        double second = 0;
        double third = 0;
        double fourth = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            double const difference = values_[i] - mean;
            double const square = difference * difference;
            second += weights_[i] * square;
            third += weights_[i] * square * difference;
            fourth += weights_[i] * square * square;
        }
        double const variance = second / total;
        if (variance <= 0)
            return deterministic(mean);
        return {mean, variance, third / total / variance / std::sqrt(variance),
                fourth / total / variance / variance};
    }

private:
    static constexpr std::size_t most = 2 * (knots.size() + 1) * unit_nodes + 1;
    std::array<double, most> values_;
    std::array<double, most> weights_;
    std::size_t count_ = 0;
};

// Outcomes of `law` between two fractions, each with the probability that the other side stays below it.
template <class Below>
void add_piece(Outcomes& outcomes, Law const& law, Fraction from, Fraction to, Below&& below) {
    double const length = from.lower < 0.5 ? to.lower - from.lower : from.upper - to.upper;
    constexpr double negligible = 1e-18;
    if (length <= negligible)
        return;
    for (auto const& node : tanh_sinh()) {
        double const value =
            law.quantile(from.lower + length * node.at.lower, to.upper + length * node.at.upper);
        if (std::isfinite(value))
            outcomes.add(value, length * node.weight * below(value));
    }
}

Fraction fraction_below(Law const& law, double value) {
    double const lower = law.cumulative(value);
    return {lower, 1 - lower};
}

// The outcomes of `law` that are greater than those of `other`.
void add_greater(Outcomes& outcomes, Law const& law, Law const& other) {
    auto const certain = [](double) { return 1.0; };
    auto const cumulative = [&](double value) { return other.cumulative(value); };
    Fraction from = fraction_below(law, other.quantile(knots.front()));  // before, `other` is always greater
    for (std::size_t i = 1; i < knots.size(); ++i) {
        auto const to = fraction_below(law, other.quantile(knots[i]));
        add_piece(outcomes, law, from, to, cumulative);
        from = to;
    }
    add_piece(outcomes, law, from, {1, 0}, certain);
}

Moments with_value(double value, Law const& law) {
    Outcomes outcomes;
    auto const from = fraction_below(law, value);
    outcomes.add(value, from.lower);
    add_piece(outcomes, law, from, {1, 0}, [](double) { return 1.0; });
    return outcomes.moments();
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
    auto const a = Law::fitted_to(left);
    auto const b = Law::fitted_to(right);
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
    Outcomes outcomes;
    add_greater(outcomes, a, b);
    add_greater(outcomes, b, a);
    return outcomes.moments();
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
    return Law::fitted_to(each).maximum_of(count);
}

Moments maximum(Moments const& left, Moments const& right) {
    constexpr double clearly = 8;  // deviations
    auto const& [lesser, greater] = key(left) < key(right) ? std::tie(left, right) : std::tie(right, left);
    double const deviation = std::sqrt(std::max(0.0, left.variance) + std::max(0.0, right.variance));
    if (greater.mean - lesser.mean >= clearly * deviation)
        return greater;
    return maximum_of_laws(lesser, greater);
}

}  // namespace parcast::stochastic
