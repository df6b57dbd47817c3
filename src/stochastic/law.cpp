#include "stochastic/law.h"

#include <array>
#include <cmath>
#include <limits>

#include "stochastic/beta_shape.h"
#include "stochastic/gamma_shape.h"
#include "stochastic/lambda_fit.h"
#include "stochastic/lambda_shape.h"

namespace parcast::stochastic {

namespace {

// A fraction of outcomes whose fourth powers do not count.
constexpr double unreached = 1e-22;

bool is_exponential(Moments const& moments) {
    constexpr double tolerance = 1e-3;
    return std::abs(std::abs(moments.skewness) - 2) <= 2 * tolerance &&
           std::abs(moments.kurtosis - 9) <= 9 * tolerance;
}

double two_point_kurtosis(Moments const& moments) {
    return moments.skewness * moments.skewness + 1;
}

Moments moved(double location, double scale, Moments const& standard) {
    double const mean = location + scale * standard.mean;
    double const variance = scale * scale * standard.variance;
    double const rounding = std::numeric_limits<double>::epsilon() * std::abs(mean);
    if (variance <= rounding * rounding)
        return deterministic(mean);
    return {mean, variance, standard.skewness, standard.kurtosis};
}

Moments two_point_moments(double probability, double complement) {
    double const variance = probability * complement;
    if (variance <= 0)
        return deterministic(probability);
    return {probability, variance, (complement - probability) / std::sqrt(variance),
            3 + (1 - 6 * variance) / variance};
}

}  // namespace

Law Law::fitted_to(Moments const& moments) {
    if (moments.variance <= 0) {
        Law law;
        law.location_ = moments.mean;
        return law;
    }
    if (is_exponential(moments))
        return lambda(LawKind::exponential, moments.skewness < 0 ? 1 : 0, 0, moments, true);
    constexpr double tolerance = 1e-6;
    double const least = two_point_kurtosis(moments);
    if (moments.kurtosis <= least + tolerance)
        return two_points(moments, moments.kurtosis >= least - tolerance);
    if (auto const shape = fitted_lambda(moments.skewness, moments.kurtosis))
        return lambda(LawKind::lambda, shape->w, shape->c, moments, true);
    if (auto const shape = fitted_gamma(moments.skewness, moments.kurtosis))
        return gamma(*shape, moments);
    if (auto const shape = fitted_beta(moments.skewness, moments.kurtosis))
        return beta(shape->a, shape->b, moments);
    auto const shape = pareto_shape(moments.skewness);
    return lambda(LawKind::pareto, shape.w, shape.c, moments, false);
}

std::optional<Law> Law::gamma_or_beta(Moments const& moments) {
    constexpr double nearly_normal = 1000;
    constexpr double near_two_points = 1e-3;  // where the ends of a beta law are all there is
    bool const is_uniform = moments.skewness == 0 && moments.kurtosis == 1.8;
    if (moments.variance <= 0 || is_uniform || is_exponential(moments) ||
        moments.kurtosis <= two_point_kurtosis(moments) + near_two_points)
        return std::nullopt;
    if (auto const shape = fitted_gamma(moments.skewness, moments.kurtosis))
        return *shape < nearly_normal ? std::optional(gamma(*shape, moments)) : std::nullopt;
    auto const shape = fitted_beta(moments.skewness, moments.kurtosis);
    return shape && shape->a + shape->b < nearly_normal ? std::optional(beta(shape->a, shape->b, moments))
                                                        : std::nullopt;
}

Law Law::two_points(Moments const& moments, bool matches_all) {
    double const skewness = moments.skewness;
    double const root = std::sqrt(4 + skewness * skewness);
    // Written so that the smaller one keeps its digits.
    double const smaller = 2 / (root * (root + std::abs(skewness)));
    double const higher = skewness > 0 ? smaller : 1 - smaller;
    double const lower = skewness > 0 ? 1 - smaller : smaller;
    double const deviation = std::sqrt(moments.variance);
    Law law;
    law.kind_ = LawKind::two_points;
    law.matches_all_ = matches_all;
    law.location_ = moments.mean - deviation * std::sqrt(higher / lower);
    law.scale_ = deviation * (std::sqrt(higher / lower) + std::sqrt(lower / higher));
    law.first_shape_ = higher;
    return law;
}

Law Law::lambda(LawKind kind, double w, double c, Moments const& moments, bool matches_all) {
    Law law;
    law.kind_ = kind;
    law.matches_all_ = matches_all;
    law.first_shape_ = w;
    law.second_shape_ = c;
    auto const standard = lambda_maximum({w, c}, 1);
    law.scale_ = std::sqrt(moments.variance / standard.variance);
    law.location_ = moments.mean - law.scale_ * standard.mean;
    return law;
}

Law Law::gamma(double shape, Moments const& moments) {
    double const scale = std::sqrt(moments.variance / shape);
    Law law;
    law.kind_ = LawKind::gamma;
    law.scale_ = moments.skewness < 0 ? -scale : scale;
    law.location_ = moments.mean - law.scale_ * shape;
    law.first_shape_ = shape;
    return law;
}

Law Law::beta(double a, double b, Moments const& moments) {
    BetaShape const shape{a, b};
    Law law;
    law.kind_ = LawKind::beta;
    law.scale_ = std::sqrt(moments.variance / beta_variance(shape));
    law.location_ = moments.mean - law.scale_ * beta_mean(shape);
    law.first_shape_ = a;
    law.second_shape_ = b;
    return law;
}

std::string_view Law::name() const {
    constexpr std::array<std::string_view, 7> names = {
        "single value", "exponential law", "generalised lambda distribution", "two points",
        "gamma law",    "beta law",        "generalised Pareto law"};
    return names[static_cast<std::size_t>(kind_)];
}

double Law::quantile(double lower, double upper) const {
    switch (kind_) {
        case LawKind::single_value: return location_;
        case LawKind::two_points: return upper <= first_shape_ ? location_ + scale_ : location_;
        case LawKind::gamma:
            return location_ + scale_ * (scale_ < 0 ? gamma_quantile(first_shape_, upper, lower)
                                                    : gamma_quantile(first_shape_, lower, upper));
        case LawKind::beta:
            return location_ + scale_ * beta_quantile({first_shape_, second_shape_}, lower, upper);
        case LawKind::exponential:
        case LawKind::lambda:
        case LawKind::pareto: break;
    }
    return location_ +
           scale_ * lambda_quantile({first_shape_, second_shape_}, std::log(lower), std::log(upper));
}

double Law::cumulative(double value) const {
    return LawCumulative(*this)(value);
}

double Law::low_end() const {
    return kind_ == LawKind::gamma ? quantile(unreached, 1) : quantile(0, 1);
}

double Law::high_end() const {
    return kind_ == LawKind::gamma ? quantile(1, unreached) : quantile(1, 0);
}

Moments Law::maximum_of(double count) const {
    switch (kind_) {
        case LawKind::single_value: return deterministic(location_);
        case LawKind::two_points: {
            double const none = count * std::log1p(-first_shape_);  // ln P(none of them is high)
            return moved(location_, scale_, two_point_moments(-std::expm1(none), std::exp(none)));
        }
        case LawKind::gamma: {
            if (scale_ >= 0)
                return moved(location_, scale_, gamma_maximum(first_shape_, count));
            auto const least = gamma_minimum(first_shape_, count);
            return moved(location_, scale_, {least.mean, least.variance, -least.skewness, least.kurtosis});
        }
        case LawKind::beta:
            return moved(location_, scale_, beta_maximum({first_shape_, second_shape_}, count));
        case LawKind::exponential:
        case LawKind::lambda:
        case LawKind::pareto: break;
    }
    return moved(location_, scale_, lambda_maximum({first_shape_, second_shape_}, count));
}

LawCumulative::LawCumulative(Law const& law) : law_(law), lambda_({law.first_shape_, law.second_shape_}) {}

double LawCumulative::operator()(double value) {
    double const distance = value - law_.location_;
    switch (law_.kind_) {
        case LawKind::single_value: return distance < 0 ? 0 : 1;
        case LawKind::two_points:
            return distance < 0 ? 0 : distance < law_.scale_ ? 1 - law_.first_shape_ : 1;
        case LawKind::gamma:
            return law_.scale_ < 0 ? gamma_exceeding(law_.first_shape_, distance / law_.scale_)
                                   : gamma_cumulative(law_.first_shape_, distance / law_.scale_);
        case LawKind::beta:
            return beta_cumulative({law_.first_shape_, law_.second_shape_}, distance / law_.scale_);
        case LawKind::exponential:
        case LawKind::lambda:
        case LawKind::pareto: break;
    }
    return lambda_(distance / law_.scale_);
}

}  // namespace parcast::stochastic
