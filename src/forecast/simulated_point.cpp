#include "forecast/simulated_point.h"

namespace parcast::forecast {

namespace {

ConfidenceInterval scaled(ConfidenceInterval const& interval, double factor) {
    return {interval.low * factor, interval.high * factor};
}

}  // namespace

ensemble::EnsembleOptions ensemble_options(SimulationLimits const& limits, unsigned workers) {
    ensemble::EnsembleOptions options;
    options.threads = workers;
    options.seed = limits.seed.value_or(options.seed);
    options.relative_half_width = limits.precision ? *limits.precision / 100 : options.relative_half_width;
    if (limits.runs) {
        options.least_runs = options.most_runs = *limits.runs;
        options.relative_half_width = limits.precision ? options.relative_half_width : 1;
    }
    return options;
}

SimulatedPoint simulated_point(ensemble::Ensemble const& ensemble, std::span<double const> levels,
                               double divisor) {
    SimulatedPoint point;
    double const factor = 1 / divisor;
    point.time = parcast::scaled(factor, ensemble.moments);
    point.mean = scaled(ensemble.mean, factor);
    point.variance = scaled(ensemble.variance, factor * factor);
    point.skewness = scaled(ensemble.skewness, 1);
    point.kurtosis = scaled(ensemble.kurtosis, 1);
    point.runs = ensemble.times.size();
    for (double const level : levels)
        point.quantiles.push_back(ensemble.quantile(level / 100) * factor);
    return point;
}

}  // namespace parcast::forecast
