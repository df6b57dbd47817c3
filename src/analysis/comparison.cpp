#include "analysis/comparison.h"

#include <algorithm>
#include <cmath>

#include "core/ensure.h"

namespace parcast::analysis {

namespace {

double ratio(Duration a, Duration b) {
    return to_real(a).ns / to_real(b).ns;
}

MeasuredTimes const& fastest(std::span<MeasuredTimes const> runs) {
    return *std::min_element(runs.begin(), runs.end(), [](MeasuredTimes const& a, MeasuredTimes const& b) {
        return a.wall < b.wall;
    });
}

std::vector<Deviation> causes_of(PredictedTimes const& predicted, MeasuredTimes const& one,
                                 MeasuredTimes const& many, std::uint32_t cpus) {
    double const scale = 1 / (cpus * ratio(predicted.on_many, predicted.on_one));
    auto const idle = [cpus](Duration wall, Duration used) { return wall * cpus - used; };
    double const measured_idle = ratio(idle(many.wall, many.user + many.system), one.wall);
    double const predicted_idle = ratio(idle(predicted.on_many, predicted.used), predicted.on_one);
    double const one_cpu = ratio(one.user + one.system, one.wall) - ratio(predicted.used, predicted.on_one);
    std::vector<Deviation> causes{
        {DeviationPart::user, ratio(many.user - one.user, one.wall) * scale},
        {DeviationPart::system, ratio(many.system - one.system, one.wall) * scale},
        {DeviationPart::idle, (measured_idle - predicted_idle) * scale},
        {DeviationPart::one_cpu, one_cpu * scale},
    };
    std::stable_sort(causes.begin(), causes.end(), [](Deviation const& a, Deviation const& b) {
        return std::abs(a.share) > std::abs(b.share);
    });
    return causes;
}

}  // namespace

char const* name_of(DeviationPart part) {
    switch (part) {
        case DeviationPart::user: return "user";
        case DeviationPart::system: return "system";
        case DeviationPart::idle: return "idle";
        case DeviationPart::one_cpu: return "one_cpu";
    }
    return "";
}

Comparison compare(PredictedTimes const& predicted, std::span<MeasuredTimes const> one,
                   std::span<MeasuredTimes const> many, std::uint32_t cpus) {
    ensure(!one.empty() && one.size() == many.size(), "runs are compared round by round");
    Comparison comparison;
    comparison.predicted = ratio(predicted.on_one, predicted.on_many);
    std::vector<double> speed_ups;
    for (std::size_t i = 0; i < one.size(); ++i) {
        speed_ups.push_back(ratio(one[i].wall, many[i].wall));
    }
    comparison.measured = spread_of(std::move(speed_ups));
    MeasuredTimes const& best_one = fastest(one);
    MeasuredTimes const& best_many = fastest(many);
    comparison.best = ratio(best_one.wall, best_many.wall);
    comparison.error = std::abs(comparison.best - comparison.predicted) / comparison.best;
    comparison.median_error =
        std::abs(comparison.measured.median - comparison.predicted) / comparison.measured.median;
    comparison.user_growth = best_one.user.ns > 0 ? ratio(best_many.user - best_one.user, best_one.user) : 0;
    comparison.is_within_range = comparison.predicted >= comparison.measured.least &&
                                 comparison.predicted <= comparison.measured.most;
    comparison.causes = causes_of(predicted, best_one, best_many, cpus);
    return comparison;
}

}  // namespace parcast::analysis
