#include "core/spread.h"

#include <algorithm>

#include "core/ensure.h"

namespace parcast {

Spread spread_of(std::vector<double> values) {
    ensure(!values.empty(), "a spread is that of at least one value");
    std::sort(values.begin(), values.end());
    std::size_t const middle = values.size() / 2;
    double const median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

}  // namespace parcast
