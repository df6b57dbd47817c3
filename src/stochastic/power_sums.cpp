#include "stochastic/power_sums.h"

#include <cmath>

namespace parcast::stochastic {

void PowerSums::add_outcome(double value, double probability) {
    double const distance = value - origin_;
    double const square = distance * distance;
    total_ += probability;
    first_ += probability * distance;
    second_ += probability * square;
    third_ += probability * square * distance;
    fourth_ += probability * square * square;
}

void PowerSums::subtract_below(double value, double probability_times_length) {
    double const distance = value - origin_;
    double const square = distance * distance;
    first_ -= probability_times_length;
    second_ -= 2 * probability_times_length * distance;
    third_ -= 3 * probability_times_length * square;
    fourth_ -= 4 * probability_times_length * square * distance;
}

Moments PowerSums::moments() const {
    double const mean = first_ / total_;
    double const square = second_ / total_;
    double const cube = third_ / total_;
    double const fourth = fourth_ / total_;
    double const variance = square - mean * mean;
    if (variance <= 0)
        return deterministic(origin_ + mean);
    double const central_third = cube - mean * (3 * square - 2 * mean * mean);
    double const central_fourth = fourth - mean * (4 * cube - mean * (6 * square - 3 * mean * mean));
    return {origin_ + mean, variance, central_third / variance / std::sqrt(variance),
            central_fourth / variance / variance};
}

}  // namespace parcast::stochastic
