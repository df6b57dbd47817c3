#include "model/events_threads/relative_line.h"

#include <cmath>

#include "model/events_threads/over_threads.h"

namespace parcast::model {

namespace {

// Means weighted by 1 / W^2, and the squares about them.
struct WeightedSums {
    double weights = 0;
    double events = 0;  // mean
    double work = 0;    // mean
    double squares = 0;
    double products = 0;
};

double weight_of(WorkAndEvents const& run) {
    return 1 / (run.work_ns * run.work_ns);
}

WeightedSums weighted_sums(std::span<WorkAndEvents const> series) {
    WeightedSums sums;
    for (auto const& run : series) {
        auto const weight = weight_of(run);
        sums.weights += weight;
        sums.events += weight * run.events;
        sums.work += weight * run.work_ns;
    }
    sums.events /= sums.weights;
    sums.work /= sums.weights;
    for (auto const& run : series) {
        auto const apart = run.events - sums.events;
        sums.squares += weight_of(run) * apart * apart;
        sums.products += weight_of(run) * apart * (run.work_ns - sums.work);
    }
    return sums;
}

}  // namespace

std::optional<RelativeLine> relative_line(std::span<WorkAndEvents const> series) {
    for (auto const& run : series)
        if (!(run.work_ns > 0))
            return std::nullopt;
    auto const sums = weighted_sums(series);
    if (!(sums.squares > 0))
        return std::nullopt;
    RelativeLine line;
    line.slope_ns = sums.products / sums.squares;
    line.at_zero_ns = sums.work - line.slope_ns * sums.events;
    for (auto const& run : series)
        line.squares += std::pow(1 - (line.at_zero_ns + line.slope_ns * run.events) / run.work_ns, 2);
    if (series.size() > 2) {
        auto const freedom = static_cast<double>(series.size() - 2);
        auto const variance = line.squares / freedom;
        line.at_zero_95 = student_95(freedom) *
                          std::sqrt(variance * (1 / sums.weights + sums.events * sums.events / sums.squares));
    }
    return line;
}

}  // namespace parcast::model
