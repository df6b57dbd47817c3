#include "simulate/interval_log.h"

#include <numeric>

namespace parcast::simulate {

IntervalColumns IntervalLog::columns(std::size_t threads) const {
    // A counting sort: the intervals of one thread closed in the order of their beginnings.
    std::vector<std::size_t> row_of(threads + 1, 0);
    for (auto const& interval : intervals_)
        ++row_of[interval.thread.index() + 1];
    std::partial_sum(row_of.begin(), row_of.end(), row_of.begin());

    auto const size = intervals_.size();
    IntervalColumns columns;
    columns.begin.resize(size);
    columns.end.resize(size);
    columns.thread.resize(size);
    columns.cpu.resize(size);
    columns.state.resize(size);
    columns.object.resize(size);
    columns.releaser.resize(size);
    columns.site.resize(size);
    for (auto const& interval : intervals_) {
        auto const row = row_of[interval.thread.index()]++;
        columns.begin[row] = interval.begin;
        columns.end[row] = interval.end;
        columns.thread[row] = interval.thread;
        columns.cpu[row] = interval.cpu;
        columns.state[row] = interval.state;
        columns.object[row] = interval.object;
        columns.releaser[row] = interval.releaser;
        columns.site[row] = interval.site;
    }
    return columns;
}

}  // namespace parcast::simulate
