#include "timeline/lanes.h"

#include <algorithm>
#include <numeric>

namespace parcast {

std::vector<std::uint32_t> lane_first(IntervalColumns const& rows, std::size_t threads) {
    std::vector<std::uint32_t> first(threads + 1);
    for (auto const thread : rows.thread)
        ++first[thread.index() + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

CpuRows cpu_rows(IntervalColumns const& rows, std::uint32_t cpus) {
    CpuRows lanes;
    lanes.first.resize(std::size_t{cpus} + 1);
    for (auto const cpu : rows.cpu)
        if (!cpu.is_none())
            ++lanes.first[cpu.index() + 1];
    std::partial_sum(lanes.first.begin(), lanes.first.end(), lanes.first.begin());
    lanes.row.resize(lanes.first.back());
    auto next = lanes.first;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (!rows.cpu[row].is_none())
            lanes.row[next[rows.cpu[row].index()]++] = static_cast<std::uint32_t>(row);
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        std::sort(lanes.row.begin() + lanes.first[cpu], lanes.row.begin() + lanes.first[cpu + 1],
                  [&](std::uint32_t a, std::uint32_t b) { return rows.begin[a] < rows.begin[b]; });
    }
    return lanes;
}

}  // namespace parcast
