// A quantity over the threads of a computation: mean with its 95 % confidence interval, minimum, maximum, as
// figures 7 to 13 of Marinescu, Rice and Vavalis (1990) draw it.

#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace parcast::model {

// In the unit of the values.
struct OverThreads {
    double mean = 0;
    std::optional<double> ci95;  // half of the interval, Student's; none: fewer than two values
    double least = 0;
    double most = 0;
    std::size_t count = 0;

    friend bool operator==(OverThreads const&, OverThreads const&) = default;
};

// No values: all 0. REQUIRES: finite values. Cost: linear.
OverThreads over_threads(std::span<double const> values);

// The 0.975 quantile of Student's law: half a 95 % interval in standard errors. REQUIRES: freedom > 0.
double student_95(double freedom);

}  // namespace parcast::model
