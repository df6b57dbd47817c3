#include "stochastic/beta_shape.h"

#include <cmath>
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
