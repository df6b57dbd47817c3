#include "calibrate/statistics.h"

#include <algorithm>
#include <cmath>

#include "core/ensure.h"

namespace parcast::calibrate {

namespace {

// REQUIRES: sorted, not empty.
double quantile(std::vector<double> const& sorted, double share) {
    double const position = share * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(std::floor(position));
    std::size_t const above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - std::floor(position));
}

}  // namespace

Summary summarize(std::vector<double> samples) {
    ensure(!samples.empty(), "a summary needs a sample");
    std::sort(samples.begin(), samples.end());
    return {quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75), samples.size()};
}

double quantile_of(std::vector<double> samples, double share) {
    ensure(!samples.empty(), "a quantile needs a sample");
    std::sort(samples.begin(), samples.end());
    return quantile(samples, share);
}

}  // namespace parcast::calibrate
