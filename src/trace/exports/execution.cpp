#include "trace/exports/execution.h"

namespace parcast::trace {

bool has_releases(Timeline const& timeline) {
    return timeline.messages.empty();
}

bool is_released(IntervalColumns const& rows, std::size_t row) {
    bool const goes_on = row + 1 < rows.size() && rows.thread[row + 1] == rows.thread[row];
    return goes_on && !rows.releaser[row].is_none() && rows.releaser[row] != rows.thread[row];
}

}  // namespace parcast::trace
