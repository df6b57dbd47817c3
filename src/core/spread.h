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

// The narrowest interval of values, as far from both ends, that holds the median of their law, whatever that
// is, with a probability of 0.9: of 5 values all (0.94), of 8 all but the first and the last (0.93). Fewer
// than 5 give their range, and hold it less often. REQUIRES: values not empty.
Spread median_interval(std::vector<double> values);

}  // namespace parcast
