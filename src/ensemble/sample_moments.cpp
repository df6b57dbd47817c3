#include "ensemble/sample_moments.h"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/ensure.h"

namespace parcast::ensemble {

namespace {

// Sums of the first four powers of values about some point.
struct PowerSums {
    double count = 0;
    double first = 0, second = 0, third = 0, fourth = 0;

    void add(double value, double weight) {
        double const square = value * value;
        count += weight;
        first += weight * value;
        second += weight * square;
        third += weight * square * value;
        fourth += weight * square * square;
    }
};

// logarithm of the variance, skewness, kurtosis
using Shape = std::array<double, 3>;

Shape shape_of(PowerSums const& sums) {
    double const n = sums.count;
    double const shift = sums.first / n;
    double const second = (sums.second - n * shift * shift) / n;
    double const third = (sums.third - 3 * shift * sums.second + 2 * n * shift * shift * shift) / n;
    double const fourth = (sums.fourth - 4 * shift * sums.third + 6 * shift * shift * sums.second -
                           3 * n * shift * shift * shift * shift) /
                          n;
    double const skewness = third / (second * std::sqrt(second));
    double const excess = fourth / (second * second) - 3;
    return {std::log(second * n / (n - 1)), skewness * std::sqrt(n * (n - 1)) / (n - 2),
            3 + (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)};
}

// Standard errors by leaving out one value at a time.
Shape jackknife(std::span<double const> values, double mean, double deviation, PowerSums const& all) {
    Shape sum{};
    Shape squares{};
    Shape const centre = shape_of(all);
    double const n = all.count;
    for (double const value : values) {
        auto without = all;
        without.add((value - mean) / deviation, -1);
        auto const shape = shape_of(without);
        for (std::size_t k = 0; k < shape.size(); ++k) {
            double const off = shape[k] - centre[k];
            sum[k] += off;
            squares[k] += off * off;
        }
    }
    Shape errors{};
    for (std::size_t k = 0; k < errors.size(); ++k)
        errors[k] = std::sqrt(std::max(0.0, (n - 1) / n * (squares[k] - sum[k] * sum[k] / n)));
    return errors;
}

ConfidenceInterval about(double centre, double half_width) {
    return {centre - half_width, centre + half_width};
}

}  // namespace

SampleMoments known_value(double value) {
    return {deterministic(value), {value, value}, {0, 0}, {0, 0}, {3, 3}};
}

SampleMoments sample_moments(std::span<double const> values) {
    ensure(values.size() >= 5, "five values, or leaving out one leaves too few");
    double const n = static_cast<double>(values.size());
    double mean = 0;
    double squares = 0;
    double count = 0;
    for (double const value : values) {
        double const off = value - mean;
        mean += off / ++count;
        squares += off * (value - mean);
    }
    double const deviation = std::sqrt(squares / (n - 1));
    if (!(deviation > 1e-14 * std::abs(mean)))
        return known_value(mean);

    PowerSums sums;
    for (double const value : values)
        sums.add((value - mean) / deviation, 1);
    auto const shape = shape_of(sums);
    auto const errors = jackknife(values, mean, deviation, sums);
    double const t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
    double const variance = std::exp(shape[0]) * deviation * deviation;
    return {{mean, variance, shape[1], shape[2]},
            about(mean, t * deviation / std::sqrt(n)),
            {variance * std::exp(-t * errors[0]), variance * std::exp(t * errors[0])},
            about(shape[1], t * errors[1]),
            about(shape[2], t * errors[2])};
}

}  // namespace parcast::ensemble
