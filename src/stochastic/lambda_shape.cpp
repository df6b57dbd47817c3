#include "stochastic/lambda_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "stochastic/order_statistics.h"

namespace parcast::stochastic {

namespace {

// Leaves a fourth moment by which quadrature can go.
constexpr double least_pareto = -0.24;

// (exp(exponent L) - 1) / c, at c = 0 weight L; exponent = weight c.
double power_term(double weight, double c, double log) {
    if (weight == 0)
        return 0;
    return c == 0 ? weight * log : std::expm1(weight * c * log) / c;
}

}  // namespace

EndPowers end_powers(LambdaShape const& shape) {
    return {4 * std::min(0.0, shape.w * shape.c), 4 * std::min(0.0, (1 - shape.w) * shape.c)};
}

double lambda_quantile(LambdaShape const& shape, double log_lower, double log_upper) {
    return power_term(shape.w, shape.c, log_lower) - power_term(1 - shape.w, shape.c, log_upper);
}

namespace {

// The logit of u at which z is reached, by Newton's method between bounds: z is nearly linear in it.
double logit_at(LambdaShape const& shape, double z, double start) {
    double low = -745;
    double high = 745;
    double logit = start;
    constexpr int most_steps = 200;
    for (int count = 0; count < most_steps && high - low > 1e-14 * std::max(1.0, std::abs(logit)); ++count) {
        double const log_lower =
            logit < 0 ? logit - std::log1p(std::exp(logit)) : -std::log1p(std::exp(-logit));
        double const log_upper = log_lower - logit;
        double const difference = lambda_quantile(shape, log_lower, log_upper) - z;
        (difference > 0 ? high : low) = logit;
        // dz/dlogit = w u^(wc) (1 - u) + (1 - w) (1 - u)^((1 - w) c) u
        double const slope = shape.w * std::exp(shape.w * shape.c * log_lower + log_upper) +
                             (1 - shape.w) * std::exp((1 - shape.w) * shape.c * log_upper + log_lower);
        double const step = difference / slope;
        double const next = logit - step;
        if (next > low && next < high) {
            logit = next;
            constexpr double close = 1e-8;  // from here one step is exact but for rounding
            if (std::abs(step) < close)
                break;
        } else {
            logit = (low + high) / 2;
        }
    }
    return logit;
}

}  // namespace

double LambdaCumulative::operator()(double z) {
    if (z <= lowest_)
        return 0;
    if (z >= highest_)
        return 1;
    if (shape_.w == 0)
        return -std::expm1(shape_.c == 0 ? -z : std::log1p(-shape_.c * z) / shape_.c);
    if (shape_.w == 1)
        return std::exp(shape_.c == 0 ? z : std::log1p(shape_.c * z) / shape_.c);
    logit_ = logit_at(shape_, z, logit_);
    return 1 / (1 + std::exp(-logit_));
}

LambdaCumulative::LambdaCumulative(LambdaShape const& shape)
    : shape_(shape),
      lowest_(lambda_quantile(shape, -std::numeric_limits<double>::infinity(), 0)),
      highest_(lambda_quantile(shape, 0, -std::numeric_limits<double>::infinity())) {}

Moments lambda_maximum(LambdaShape const& shape, double count) {
    std::array<OrderNode, most_order_nodes> storage;
    std::array<double, most_order_nodes> values;
    auto const nodes = order_nodes(count, end_powers(shape).lower, end_powers(shape).upper, storage);
    double mean = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        double const root = nodes[i].weight_root;
        values[i] = lambda_quantile(shape, nodes[i].log_lower, nodes[i].log_upper);
        mean += values[i] * root * (root * root * root);
    }
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        double const root = nodes[i].weight_root;
        double const difference = (values[i] - mean) * root;
        double const square = difference * difference;
        second += square * root * root;
        third += square * difference * root;
        fourth += square * square;
    }
    return {mean, second, third / second / std::sqrt(second), fourth / second / second};
}

LambdaShape pareto_shape(double skewness) {
    // The skewness falls from that of the least c to 0 at c = 1.
    double low = least_pareto;
    double high = 1;
    double const wanted = std::min(std::abs(skewness), pareto_skewness(low));
    constexpr int steps = 60;
    for (int i = 0; i < steps; ++i) {
        double const middle = (low + high) / 2;
        (pareto_skewness(middle) > wanted ? low : high) = middle;
    }
    return {skewness < 0 ? 1.0 : 0.0, (low + high) / 2};
}

double pareto_skewness(double c) {
    return 2 * (1 - c) * std::sqrt(1 + 2 * c) / (1 + 3 * c);
}

double pareto_kurtosis(double c) {
    return 3 * (1 + 2 * c) * (2 * c * c - c + 3) / ((1 + 3 * c) * (1 + 4 * c));
}

}  // namespace parcast::stochastic
