// Median and range of a few measured values: what is said of a measurement, since its mean follows outliers.

#pragma once

#include <vector>

namespace parcast {

struct Spread {
    double median = 0;
    double least = 0;
    double most = 0;

    friend bool operator==(Spread const&, Spread const&) = default;
};

// The median of an even number of values is the mean of the two in the middle. REQUIRES: values not empty.
Spread spread_of(std::vector<double> values);

}  // namespace parcast
