#include "stochastic/beta_shape.h"

#include <cmath>
#include <limits>
#include <utility>

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>

#include "stochastic/distribution_moments.h"

namespace parcast::stochastic {

namespace {

// At the ends results underflow, which is right there; of what is no number the result is none either.
using Policy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;

struct OneBeta {
    BetaShape shape;

    double quantile(double lower, double upper) const { return beta_quantile(shape, lower, upper); }
    Share share_at(double value) const {
        if (value >= 1)
            return {1, 0};
        return {boost::math::ibeta(shape.a, shape.b, value, Policy()),
                boost::math::ibetac(shape.a, shape.b, value, Policy())};
    }
};

}  // namespace

namespace {

struct OneBetaPrime {
    BetaPrimeShape shape;

    double quantile(double lower, double upper) const { return beta_prime_quantile(shape, lower, upper); }
    Share share_at(double value) const {
        if (std::isinf(value))
            return {1, 0};
        // From the smaller of x and 1 - x, which keeps its digits.
        double const rest = 1 / (1 + value);
        double const x = value / (1 + value);
        return x < 0.5 ? Share{boost::math::ibeta(shape.a, shape.b, x, Policy()),
                               boost::math::ibetac(shape.a, shape.b, x, Policy())}
                       : Share{boost::math::ibetac(shape.b, shape.a, rest, Policy()),
                               boost::math::ibeta(shape.b, shape.a, rest, Policy())};
    }
};

}  // namespace

double beta_quantile(BetaShape const& shape, double lower, double upper) {
    if (lower <= 0)
        return 0;
    if (upper <= 0)
        return 1;
    return lower < upper ? boost::math::ibeta_inv(shape.a, shape.b, lower, Policy())
                         : boost::math::ibetac_inv(shape.a, shape.b, upper, Policy());
}

double beta_cumulative(BetaShape const& shape, double value) {
    if (value <= 0)
        return 0;
    return value >= 1 ? 1 : boost::math::ibeta(shape.a, shape.b, value, Policy());
}

double beta_mean(BetaShape const& shape) {
    return shape.a / (shape.a + shape.b);
}

double beta_variance(BetaShape const& shape) {
    double const sum = shape.a + shape.b;
    return shape.a * shape.b / (sum * sum * (sum + 1));
}

// Over the distance from the end that they are near: a law whose bulk is at one end has its digits there.
Moments beta_maximum(BetaShape const& shape, double count) {
    double const lower_half = std::exp(std::log(0.5) / count);
    if (beta_quantile(shape, lower_half, 1 - lower_half) < 0.5)
        return greatest_moments(OneBeta{shape}, count);
    auto const distance = least_moments(OneBeta{{shape.b, shape.a}}, count);
    return {1 - distance.mean, distance.variance, -distance.skewness, distance.kurtosis};
}

double beta_prime_quantile(BetaPrimeShape const& shape, double lower, double upper) {
    if (lower <= 0)
        return 0;
    if (upper <= 0)
        return std::numeric_limits<double>::infinity();
    double rest = 0;
    double const x = lower < upper ? boost::math::ibeta_inv(shape.a, shape.b, lower, &rest, Policy())
                                   : boost::math::ibetac_inv(shape.a, shape.b, upper, &rest, Policy());
    return x / rest;
}

double beta_prime_cumulative(BetaPrimeShape const& shape, double value) {
    return value <= 0 ? 0 : OneBetaPrime{shape}.share_at(value).below;
}

double beta_prime_exceeding(BetaPrimeShape const& shape, double value) {
    return value <= 0 ? 1 : OneBetaPrime{shape}.share_at(value).above;
}

double beta_prime_mean(BetaPrimeShape const& shape) {
    return shape.a / (shape.b - 1);
}

double beta_prime_variance(BetaPrimeShape const& shape) {
    double const below = shape.b - 1;
    return shape.a * (shape.a + below) / (below * below * (shape.b - 2));
}

Moments beta_prime_maximum(BetaPrimeShape const& shape, double count) {
    return greatest_moments(OneBetaPrime{shape}, count);
}

Moments beta_prime_minimum(BetaPrimeShape const& shape, double count) {
    return least_moments(OneBetaPrime{shape}, count);
}

std::optional<BetaPrimeShape> fitted_beta_prime(double skewness, double kurtosis) {
    double const square = skewness * skewness;
    double const above_gamma = 2 * kurtosis - 6 - 3 * square;
    if (above_gamma <= 0)
        return std::nullopt;
    // The sum that fitted_beta() has, which is 1 - b here.
    double const sum = -6 * (kurtosis - square - 1) / above_gamma;
    double const root = (sum + 2) * (sum + 2) * square + 16 * (sum + 1);
    constexpr double least_b = 8;
    if (1 - sum <= least_b || root <= 0)
        return std::nullopt;
    double const asymmetry = -(sum + 2) * std::abs(skewness) / std::sqrt(root);
    return BetaPrimeShape{-sum / 2 * (asymmetry - 1), 1 - sum};
}

std::optional<BetaShape> fitted_beta(double skewness, double kurtosis) {
    double const square = skewness * skewness;
    double const above_two_points = kurtosis - square - 1;
    double const below_gamma = 6 + 3 * square - 2 * kurtosis;
    if (above_two_points <= 0 || below_gamma <= 0)
        return std::nullopt;
    double const sum = 6 * above_two_points / below_gamma;
    double const asymmetry =
        (sum + 2) * std::abs(skewness) / std::sqrt((sum + 2) * (sum + 2) * square + 16 * (sum + 1));
    BetaShape shape{sum / 2 * (1 - asymmetry), sum / 2 * (1 + asymmetry)};
    if (skewness < 0)
        std::swap(shape.a, shape.b);
    return shape;
}

}  // namespace parcast::stochastic
