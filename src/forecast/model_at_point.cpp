#include "forecast/model_at_point.h"

#include <algorithm>

#include "stochastic/law.h"
#include "stochastic/support.h"

namespace parcast::forecast {

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
    // The fitted law may reach beyond what the quantity can be.
    auto support = stochastic::support_of(time);
    if (formula.is_process())
        support.low = std::max(0.0, support.low);
    auto const quantile = [&](double fraction) {
        return std::min(std::max(law.quantile(fraction), support.low), support.high);
    };
    for (double const level : levels)
        result.quantiles.push_back(quantile(level / 100));
    if (with_band == WithBand::yes)
        result.band = {quantile(0.05), quantile(0.95)};
    return result;
}

}  // namespace parcast::forecast
