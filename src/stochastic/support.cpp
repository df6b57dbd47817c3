#include "stochastic/support.h"

#include <algorithm>
#include <cmath>

#include "stochastic/law.h"

namespace parcast::stochastic {

Support support_of(Moments const& moments) {
    if (moments.skewness == 0 && moments.kurtosis == 1.8) {
        double const half = std::sqrt(3 * std::max(0.0, moments.variance));  // uniform
        return {moments.mean - half, moments.mean + half};
    }
    auto const named = Law::gamma_or_beta(moments);
    auto const law = named ? *named : Law::fitted_to(moments);
    bool const is_right = moments.skewness > 0;
    switch (law.kind()) {
        case LawKind::single_value: return {moments.mean, moments.mean};
        case LawKind::two_points:
            return law.matches_all() ? Support{law.quantile(0), law.quantile(1)} : Support();
        case LawKind::exponential:
        case LawKind::gamma:
            // The other end is none.
            return is_right ? Support{.low = law.quantile(0)} : Support{.high = law.quantile(1)};
        case LawKind::lambda:
        case LawKind::beta:
        case LawKind::pareto: break;
    }
    return {};
}

Support support_of_law(Moments const& moments) {
    auto const law = Law::gamma_or_beta(moments);
    return law && law->kind() == LawKind::beta ? Support{law->quantile(0, 1), law->quantile(1, 0)}
                                               : support_of(moments);
}

}  // namespace parcast::stochastic
