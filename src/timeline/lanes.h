// Which intervals make up the lane of a thread, and which that of a processor.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timeline/interval.h"

namespace parcast {

// lane_first[t]: the first row of thread t; one more: all rows. REQUIRES: rows ordered by thread.
std::vector<std::uint32_t> lane_first(IntervalColumns const& rows, std::size_t threads);

// The rows of a processor, in time order: row[first[cpu]] to row[first[cpu + 1] - 1]. Rows without a
// processor are in none.
struct CpuRows {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> row;
};
CpuRows cpu_rows(IntervalColumns const& rows, std::uint32_t cpus);

}  // namespace parcast
