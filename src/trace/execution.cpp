#include "trace/execution.h"

#include <numeric>

namespace parcast::trace {

bool is_released(IntervalColumns const& rows, std::size_t row) {
    bool const goes_on = row + 1 < rows.size() && rows.thread[row + 1] == rows.thread[row];
    return goes_on && !rows.releaser[row].is_none() && rows.releaser[row] != rows.thread[row];
}

std::vector<std::uint32_t> lane_first(IntervalColumns const& rows, std::size_t threads) {
    std::vector<std::uint32_t> first(threads + 1);
    for (auto const thread : rows.thread)
        ++first[thread.index() + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

}  // namespace parcast::trace
