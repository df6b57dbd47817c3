#include "core/spread.h"

#include <algorithm>
#include <cmath>

#include "core/ensure.h"

namespace parcast {

Spread spread_of(std::vector<double> values) {
    ensure(!values.empty(), "a spread is that of at least one value");
    std::sort(values.begin(), values.end());
    std::size_t const middle = values.size() / 2;
    double const median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

Spread median_interval(std::vector<double> values) {
    constexpr double wanted = 0.9;
    ensure(!values.empty(), "an interval is that of at least one value");
    std::sort(values.begin(), values.end());
    auto const count = values.size();
    // The median lies beyond the `left_out`-th value at an end if at most so many values do: binomial.
    auto ways = std::pow(0.5, static_cast<double>(count));  // that `left_out` values lie on one side
    auto beyond = ways;
    std::size_t left_out = 0;
    while (2 * (left_out + 1) < count) {
        ways *= static_cast<double>(count - left_out) / static_cast<double>(left_out + 1);
        if (1 - 2 * (beyond + ways) < wanted)
            break;
        beyond += ways;
        ++left_out;
    }
    return {spread_of(values).median, values[left_out], values[count - 1 - left_out]};
}

}  // namespace parcast
