#include "stochastic/gamma_shape.h"

#include <cmath>
#include <limits>

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "stochastic/distribution_moments.h"

namespace parcast::stochastic {

namespace {

// At the ends results underflow, which is right there; of what is no number the result is none either.
using GammaPolicy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;

struct OneGamma {
    double shape;

    double quantile(double lower, double upper) const { return gamma_quantile(shape, lower, upper); }
    Share share_at(double value) const {
        return {boost::math::gamma_p(shape, value, GammaPolicy()),
                boost::math::gamma_q(shape, value, GammaPolicy())};
    }
};

}  // namespace

double gamma_quantile(double shape, double lower, double upper) {
    if (lower <= 0)
        return 0;
    if (upper <= 0)
        return std::numeric_limits<double>::infinity();
    return lower < upper ? boost::math::gamma_p_inv(shape, lower, GammaPolicy())
                         : boost::math::gamma_q_inv(shape, upper, GammaPolicy());
}

double gamma_cumulative(double shape, double value) {
    return value <= 0 ? 0 : OneGamma{shape}.share_at(value).below;
}

double gamma_exceeding(double shape, double value) {
    return value <= 0 ? 1 : OneGamma{shape}.share_at(value).above;
}

Moments gamma_maximum(double shape, double count) {
    return greatest_moments(OneGamma{shape}, count);
}

Moments gamma_minimum(double shape, double count) {
    return least_moments(OneGamma{shape}, count);
}

std::optional<double> fitted_gamma(double skewness, double kurtosis) {
    // A beta law that is nearer has a + b above 10^8, and differs by less than 10^-8.
    constexpr double rounding = 1e-8;
    double const line = 3 + 1.5 * skewness * skewness;
    if (skewness == 0 || std::abs(kurtosis - line) > rounding * line)
        return std::nullopt;
    return 4 / (skewness * skewness);
}

}  // namespace parcast::stochastic
