#include "forecast/model_at_point.h"

#include <algorithm>
#include <cmath>

#include "stochastic/law.h"
#include "stochastic/support.h"

namespace parcast::forecast {

namespace {

stochastic::Law law_of(Moments const& moments) {
    auto const named = stochastic::Law::gamma_or_beta(moments);
    return named ? *named : stochastic::Law::fitted_to(moments);
}

// A resource may only make a run longer than its critical path.
stochastic::Support support_at(ModelFormula const& formula, std::span<double const> values,
                               Moments const& time, double divisor, bool is_critical_path) {
    auto support = stochastic::support_of(time);
    if (formula.is_process())
        support.low = std::max(0.0, support.low);
    auto const path = formula.critical_path_bounds().at(values);
    if (divisor > 0) {
        support.low = std::max(support.low, path.low / divisor);
        if (is_critical_path)
            support.high = std::min(support.high, path.high / divisor);
    }
    return support;
}

}  // namespace

Result<PointWithSpread> point_with_spread(ModelFormula const& formula, std::span<double const> values,
                                          std::span<double const> levels, WithBand with_band) {
    auto const found = formula.point(values);
    if (!found)
        return pass_on(found);
    PointWithSpread result{*found, {}, {}};
    auto const& time = found->time;
    if (!(time.variance > 0)) {
        result.quantiles.assign(levels.size(), time.mean);
        result.band = {time.mean, time.mean};
        return result;
    }
    auto const law = stochastic::Law::fitted_to(time);
    result.point.is_attainable = attainable(time);
    result.point.is_matched = law.matches_all();
    auto const divided_by = formula.divisor(values);
    if (!divided_by)
        return pass_on(divided_by);
    bool const is_critical_path = time == found->critical_path;
    // The fitted law may reach beyond what the quantity can be.
    auto const support = support_at(formula, values, time, *divided_by, is_critical_path);
    auto const greatest =
        is_critical_path ? formula.critical_path_bounds().greatest_at(values) : std::nullopt;
    auto const alike = greatest ? law_of(scaled(1 / *divided_by, greatest->each)) : law;
    auto const quantile = [&](double fraction) {
        double const logarithm = std::log(fraction) / (greatest ? greatest->count : 1);
        double const value = alike.quantile(std::exp(logarithm), -std::expm1(logarithm));
        return std::min(std::max(value, support.low), support.high);
    };
    for (double const level : levels)
        result.quantiles.push_back(quantile(level / 100));
    if (with_band == WithBand::yes)
        result.band = {quantile(0.05), quantile(0.95)};
    return result;
}

}  // namespace parcast::forecast
