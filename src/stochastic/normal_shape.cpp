#include "stochastic/normal_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

#include "stochastic/order_statistics.h"

namespace parcast::stochastic {

namespace {

constexpr double farthest = 37.5;  // deviations; beyond, a probability is no double

double value_at(NormalShape const& shape, double z) {
    return z + shape.c * (z * z - 1) + shape.d * z * z * z;
}

// The polynomial rises between its turning points, of which the nearest are farther than any outcome counts.
struct Rise {
    double low = -farthest;
    double high = farthest;
};

Rise rise_of(NormalShape const& shape) {
    Rise rise;
    double const root = shape.c * shape.c - 3 * shape.d;
    if (root < 0)
        return rise;
    // 3 d z^2 + 2 c z + 1 = 0, written for d = 0.
    for (double const sign : {-1.0, 1.0}) {
        double const z = -1 / (shape.c + sign * std::sqrt(root));
        if (z < 0)
            rise.low = std::max(rise.low, z);
        else if (z > 0)
            rise.high = std::min(rise.high, z);
    }
    return rise;
}

double normal_at(double log_lower, double log_upper) {
    bool const is_low = log_lower < log_upper;
    double const tail = std::exp(is_low ? log_lower : log_upper);
    if (tail < 1e-300)
        return is_low ? -farthest : farthest;
    double const z = std::numbers::sqrt2 * boost::math::erfc_inv(2 * tail);
    return is_low ? -z : z;
}

}  // namespace

bool is_nearly_normal(double skewness, double kurtosis) {
    constexpr double least_shape = 1000;
    return skewness * skewness <= 4 / least_shape && std::abs(kurtosis - 3) <= 6 / least_shape;
}

// Fleishman's equations for b z + c (z^2 - 1) + d z^3 with the variance 1; each step gains three digits.
NormalShape fitted_normal(double skewness, double kurtosis) {
    double b = 1;
    double c = 0;
    double d = 0;
    constexpr int steps = 12;
    for (int i = 0; i < steps; ++i) {
        c = skewness / (2 * (b * b + 24 * b * d + 105 * d * d + 2));
        d = ((kurtosis - 3) / 24 - c * c * (1 + b * b + 28 * b * d) -
             d * d * (12 + 48 * b * d + 141 * c * c + 225 * d * d)) /
            b;
        b = std::sqrt(1 - 2 * c * c - 6 * d * d) - 3 * d;
    }
    return {c / b, d / b};
}

double normal_variance(NormalShape const& shape) {
    return 1 + 6 * shape.d + 2 * shape.c * shape.c + 15 * shape.d * shape.d;
}

double normal_quantile(NormalShape const& shape, double log_lower, double log_upper) {
    auto const rise = rise_of(shape);
    return value_at(shape, std::clamp(normal_at(log_lower, log_upper), rise.low, rise.high));
}

double normal_cumulative(NormalShape const& shape, double y) {
    auto const rise = rise_of(shape);
    double low = rise.low;
    double high = rise.high;
    double z = std::clamp(y, low, high);
    constexpr int most_steps = 100;
    for (int i = 0; i < most_steps; ++i) {
        double const difference = value_at(shape, z) - y;
        (difference > 0 ? high : low) = z;
        double const step = difference / (1 + 2 * shape.c * z + 3 * shape.d * z * z);
        if (std::abs(step) < 1e-14 * std::max(1.0, std::abs(z)))
            break;
        double const next = z - step;
        z = next > low && next < high ? next : (low + high) / 2;
    }
    return boost::math::erfc(-z / std::numbers::sqrt2) / 2;
}

Moments normal_maximum(NormalShape const& shape, double count) {
    std::array<OrderNode, most_order_nodes> storage;
    std::array<double, most_order_nodes> values;
    auto const nodes = order_nodes(count, 0, 0, storage);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        values[i] = normal_quantile(shape, nodes[i].log_lower, nodes[i].log_upper);
    return moments_of_values(nodes, std::span(values).first(nodes.size()));
}

}  // namespace parcast::stochastic
