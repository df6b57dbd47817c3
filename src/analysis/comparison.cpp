#include "analysis/comparison.h"

#include <algorithm>
#include <cmath>

#include "core/ensure.h"

namespace parcast::analysis {

namespace {

double ratio(Duration a, Duration b) {
    return to_real(a).ns / to_real(b).ns;
}

RunTimes const& fastest(std::span<RunTimes const> runs) {
    return *std::min_element(runs.begin(), runs.end(),
                             [](RunTimes const& a, RunTimes const& b) { return a.wall < b.wall; });
}

// What the processors' time on many CPUs is made of, each over the time on one; they sum to cpus * x.
struct Parts {
    double user;    // more than on one
    double system;  // more than on one
    double idle;
    double one_cpu;  // used on one
};

Parts parts_of(RunTimes const& one, RunTimes const& many, std::uint32_t cpus) {
    return {ratio(many.user - one.user, one.wall), ratio(many.system - one.system, one.wall),
            ratio(many.wall * cpus - many.user - many.system, one.wall),
            ratio(one.user + one.system, one.wall)};
}

double user_growth(RunTimes const& one, RunTimes const& many) {
    return one.user.ns > 0 ? ratio(many.user - one.user, one.user) : 0;
}

std::vector<Deviation> causes_of(PredictedTimes const& predicted, RunTimes const& one, RunTimes const& many,
                                 std::uint32_t cpus) {
    Parts const measured = parts_of(one, many, cpus);
    Parts const foreseen = parts_of(predicted.one, predicted.many, cpus);
    double const whole = cpus * ratio(predicted.many.wall, predicted.one.wall);
    std::vector<Deviation> causes{
        {DeviationPart::user, (measured.user - foreseen.user) / whole},
        {DeviationPart::system, (measured.system - foreseen.system) / whole},
        {DeviationPart::idle, (measured.idle - foreseen.idle) / whole},
        {DeviationPart::one_cpu, (measured.one_cpu - foreseen.one_cpu) / whole},
    };
    std::stable_sort(causes.begin(), causes.end(), [](Deviation const& a, Deviation const& b) {
        return std::abs(a.share) > std::abs(b.share);
    });
    return causes;
}

}  // namespace

RunTimes run_times(Accounts const& accounts) {
    return {accounts.completion, accounts.busy + accounts.slowed + accounts.spinning, accounts.overhead};
}

Comparison compare(PredictedTimes const& predicted, std::span<RunTimes const> one,
                   std::span<RunTimes const> many, std::uint32_t cpus) {
    ensure(!one.empty() && one.size() == many.size(), "runs are compared round by round");
    Comparison comparison;
    comparison.predicted = ratio(predicted.one.wall, predicted.many.wall);
    std::vector<double> speed_ups;
    for (std::size_t i = 0; i < one.size(); ++i)
        speed_ups.push_back(ratio(one[i].wall, many[i].wall));
    comparison.measured = spread_of(std::move(speed_ups));
    RunTimes const& best_one = fastest(one);
    RunTimes const& best_many = fastest(many);
    comparison.best = ratio(best_one.wall, best_many.wall);
    comparison.error = std::abs(comparison.best - comparison.predicted) / comparison.best;
    comparison.median_error =
        std::abs(comparison.measured.median - comparison.predicted) / comparison.measured.median;
    comparison.user_growth = user_growth(best_one, best_many);
    comparison.predicted_user_growth = user_growth(predicted.one, predicted.many);
    comparison.is_within_range =
        comparison.predicted >= comparison.measured.least && comparison.predicted <= comparison.measured.most;
    comparison.causes = causes_of(predicted, best_one, best_many, cpus);
    return comparison;
}

}  // namespace parcast::analysis
