#include "stochastic/beta_shape.h"

#include <cmath>
#include <utility>

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>

namespace parcast::stochastic {

namespace {

// At the ends results underflow, which is right there.
using Policy = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

}  // namespace

UnitValue beta_quantile(BetaShape const& shape, double lower, double upper) {
    if (lower <= 0)
        return {0, 1};
    if (upper <= 0)
        return {1, 0};
    double complement = 0;
    double const value = lower < upper
                             ? boost::math::ibeta_inv(shape.a, shape.b, lower, &complement, Policy())
                             : boost::math::ibetac_inv(shape.a, shape.b, upper, &complement, Policy());
    return {value, complement};
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
