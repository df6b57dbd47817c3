#include "stochastic/lambda_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "stochastic/order_statistics.h"

namespace parcast::stochastic {

namespace {

// Exponents that leave a fourth moment by which quadrature can go.
constexpr double least_exponent = -0.2475;
constexpr double most_c = 50;

// d/dc of (exp(weight c L) - 1) / c, with e = exp(y), y = weight c L: (weight L)^2 (y e - e + 1) / y^2.
double power_term_slope(double weight, double log, double y, double e) {
    double const scale = weight * weight * log * log;
    constexpr double series = 0.01;
    if (std::abs(y) < series)
        return scale * (0.5 + y * (1.0 / 3 + y * (0.125 + y / 30)));
    return scale * (y * e - e + 1) / (y * y);
}

// What changes with w and with c.
struct Gradient {
    double w = 0;
    double c = 0;
};

struct ShapeMoments {
    double skewness = 0;
    double kurtosis = 0;
    Gradient skewness_slope;
    Gradient kurtosis_slope;
};

// z at a node, and its slopes there times the root of the weight.
struct NodeValue {
    double z;
    Gradient slope;
    double root;
};

struct ShapeValues {
    std::array<NodeValue, most_order_nodes> at;
    std::size_t count = 0;
    double mean = 0;
    Gradient mean_slope;
};

NodeValue value_at(OrderNode const& node, LambdaShape const& shape) {
    double const v = 1 - shape.w;
    double const lower = shape.w * shape.c * node.log_lower;
    double const upper = v * shape.c * node.log_upper;
    double const lower_less_1 = std::expm1(lower);
    double const upper_less_1 = std::expm1(upper);
    double const z = shape.c == 0 ? shape.w * node.log_lower - v * node.log_upper
                                  : (lower_less_1 - upper_less_1) / shape.c;
    double const by_w = node.log_lower * (lower_less_1 + 1) + node.log_upper * (upper_less_1 + 1);
    double const by_c = power_term_slope(shape.w, node.log_lower, lower, lower_less_1 + 1) -
                        power_term_slope(v, node.log_upper, upper, upper_less_1 + 1);
    return {z, {by_w * node.weight_root, by_c * node.weight_root}, node.weight_root};
}

ShapeValues values_of(LambdaShape const& shape) {
    std::array<OrderNode, most_order_nodes> storage;
    ShapeValues values;
    for (auto const& node : order_nodes(1, end_powers(shape).lower, end_powers(shape).upper, storage)) {
        auto const value = value_at(node, shape);
        double const three = value.root * value.root * value.root;
        values.mean += value.z * value.root * three;
        values.mean_slope.w += value.slope.w * three;
        values.mean_slope.c += value.slope.c * three;
        values.at[values.count++] = value;
    }
    return values;
}

// E[(z - mean)^k d] for a slope d of z, k = 1, 2, 3.
struct CrossMoments {
    double first = 0;
    double second = 0;
    double third = 0;
};

struct CentralMoments {
    double second = 0;
    double third = 0;
    double fourth = 0;
};

// The slope of the k-th central moment is k (E[(z - mean)^(k-1) d] - E[(z - mean)^(k-1)] E[d]).
CentralMoments slopes_of(CrossMoments const& cross, double mean_slope, CentralMoments const& central) {
    return {2 * cross.first, 3 * (cross.second - central.second * mean_slope),
            4 * (cross.third - central.third * mean_slope)};
}

ShapeMoments moments_and_slopes(LambdaShape const& shape) {
    auto const values = values_of(shape);
    CentralMoments central;
    CrossMoments by_w;
    CrossMoments by_c;
    for (auto const& [z, slope, root] : std::span(values.at).first(values.count)) {
        double const difference = (z - values.mean) * root;
        double const first = difference * root * root;
        double const second = difference * difference * root;
        double const third = difference * difference * difference;
        central.second += second * root;
        central.third += third * root;
        central.fourth += third * difference;
        by_w.first += first * slope.w;
        by_w.second += second * slope.w;
        by_w.third += third * slope.w;
        by_c.first += first * slope.c;
        by_c.second += second * slope.c;
        by_c.third += third * slope.c;
    }
    double const square = central.second * central.second;
    double const power = central.second * std::sqrt(central.second);
    double const skewness = central.third / power;
    double const kurtosis = central.fourth / square;
    auto const w = slopes_of(by_w, values.mean_slope.w, central);
    auto const c = slopes_of(by_c, values.mean_slope.c, central);
    auto const of_skewness = [&](CentralMoments const& slope) {
        return slope.third / power - 1.5 * skewness * slope.second / central.second;
    };
    auto const of_kurtosis = [&](CentralMoments const& slope) {
        return slope.fourth / square - 2 * kurtosis * slope.second / central.second;
    };
    return {skewness, kurtosis, {of_skewness(w), of_skewness(c)}, {of_kurtosis(w), of_kurtosis(c)}};
}

LambdaShape clamped(LambdaShape shape) {
    shape.w = std::clamp(shape.w, 0.0, 1.0);
    shape.c = std::clamp(shape.c, least_exponent / std::max(shape.w, 1 - shape.w), most_c);
    return shape;
}

struct Target {
    double skewness;
    double kurtosis;
};

// The kurtosis by its reciprocal: it is nearly linear in c where the kurtosis goes to infinity.
struct Residual {
    double skewness;
    double kurtosis;
    double square() const { return skewness * skewness + kurtosis * kurtosis; }
};

Residual residual_of(ShapeMoments const& moments, Target const& target) {
    return {moments.skewness - target.skewness, 1 - target.kurtosis / moments.kurtosis};
}

// The Newton step, or nothing where the slopes are parallel.
std::optional<LambdaShape> newton_step(ShapeMoments const& moments, Residual const& residual,
                                       Target const& target) {
    double const factor = target.kurtosis / (moments.kurtosis * moments.kurtosis);
    double const kurtosis_by_w = moments.kurtosis_slope.w * factor;
    double const kurtosis_by_c = moments.kurtosis_slope.c * factor;
    double const determinant =
        moments.skewness_slope.w * kurtosis_by_c - moments.skewness_slope.c * kurtosis_by_w;
    LambdaShape const step{
        -(residual.skewness * kurtosis_by_c - moments.skewness_slope.c * residual.kurtosis) / determinant,
        -(moments.skewness_slope.w * residual.kurtosis - residual.skewness * kurtosis_by_w) / determinant};
    if (!std::isfinite(step.w) || !std::isfinite(step.c))
        return std::nullopt;
    return step;
}

constexpr double accepted = 1e-8;

// One step on, halved until it brings the residual down. False: no step does.
struct Position {
    LambdaShape shape;
    ShapeMoments moments;
    Residual residual;
};

bool advance(Position& at, LambdaShape const& step, Target const& target) {
    constexpr int most_halvings = 20;
    double share = 1;
    for (int halving = 0; halving < most_halvings; ++halving, share /= 2) {
        auto const shape = clamped({at.shape.w + share * step.w, at.shape.c + share * step.c});
        auto const moments = moments_and_slopes(shape);
        auto const residual = residual_of(moments, target);
        if (residual.square() < at.residual.square()) {
            at = {shape, moments, residual};
            return true;
        }
    }
    return false;
}

std::optional<LambdaShape> newton(LambdaShape const& start, Target const& target) {
    constexpr int most_steps = 40;
    constexpr double close = 1e-7;  // from here one step is exact but for rounding
    Position at{start, moments_and_slopes(start), {}};
    at.residual = residual_of(at.moments, target);
    for (int count = 0; count < most_steps; ++count) {
        auto const step = newton_step(at.moments, at.residual, target);
        if (!step)
            break;
        if (at.residual.square() < close * close)
            return clamped({at.shape.w + step->w, at.shape.c + step->c});
        if (!advance(at, *step, target))
            break;
    }
    // Where the slopes degenerate (c = 0 with symmetry) steps end before they are that close.
    bool const is_found =
        std::abs(at.residual.skewness) < accepted && std::abs(at.residual.kurtosis) < accepted;
    return is_found ? std::optional(at.shape) : std::nullopt;
}

// From the normal law's shape to the target in small steps: slow, and for targets that no start leads to.
std::optional<LambdaShape> continued(Target const& target) {
    constexpr LambdaShape normal{0.5, 0.269824909};
    constexpr int steps = 24;
    LambdaShape shape = normal;
    for (int i = 1; i <= steps; ++i) {
        double const share = static_cast<double>(i) / steps;
        Target const between{target.skewness * share, 3 * std::pow(target.kurtosis / 3, share)};
        auto const next = newton(shape, between);
        if (!next)
            return std::nullopt;
        shape = *next;
    }
    return shape;
}

struct Start {
    LambdaShape shape;
    Target moments;
};

// Shapes all over the region, with their moments.
std::vector<Start> starts_everywhere() {
    std::vector<Start> starts;
    for (double const w : {0.005, 0.05, 0.12, 0.2, 0.3, 0.4, 0.5}) {
        for (double const c : {-0.2, -0.1, -0.03, 0.03, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2}) {
            LambdaShape const shape{w, c};
            auto const moments = lambda_maximum(shape, 1);
            if (moments.skewness >= -1e-9)
                starts.push_back({shape, {moments.skewness, moments.kurtosis}});
        }
    }
    return starts;
}

LambdaShape nearest_start(Target const& target) {
    static auto const starts = starts_everywhere();
    auto const distance = [&](Start const& start) {
        return Residual{start.moments.skewness - target.skewness,
                        1 - target.kurtosis / start.moments.kurtosis}
            .square();
    };
    return std::ranges::min_element(starts, {}, distance)->shape;
}

std::optional<LambdaShape> fitted_with_positive_skewness(Target const& target) {
    constexpr LambdaShape starts[] = {{0.3, 0.2}, {0.1, 0.1}, {0.02, 0.02}, {0.2, -0.05}, {0.4, -0.3}};
    if (auto const shape = newton(nearest_start(target), target))
        return shape;
    for (auto const& start : starts)
        if (auto const shape = newton(start, target))
            return shape;
    return continued(target);
}

}  // namespace

std::optional<LambdaShape> fitted_lambda(double skewness, double kurtosis) {
    constexpr double tolerance = 1e-3;
    constexpr double rounding = 1e-9;
    auto const edge = pareto_shape(skewness);
    double const edge_skewness = pareto_skewness(edge.c);
    bool const has_edge = std::abs(std::abs(skewness) - edge_skewness) < 1e-9 * (1 + edge_skewness);
    if (!has_edge)
        return std::nullopt;
    double const least = pareto_kurtosis(edge.c);
    if (kurtosis < least * (1 - tolerance))
        return std::nullopt;
    if (kurtosis <= least * (1 + rounding))
        return edge;
    auto const shape = fitted_with_positive_skewness({std::abs(skewness), kurtosis});
    if (!shape || skewness >= 0)
        return shape;
    return LambdaShape{1 - shape->w, shape->c};
}

}  // namespace parcast::stochastic
