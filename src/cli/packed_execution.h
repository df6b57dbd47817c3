// Executions as elements of a report, as many timelines of them as a file has room for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/report_elements.h"

namespace parcast::cli {

// Of one execution. Beyond, unpacking it takes the browser seconds.
inline constexpr std::size_t most_packed_intervals = 4'000'000;

// Of all executions, in the file.
inline constexpr std::size_t most_packed_bytes = std::size_t{48} << 20;

struct PackedExecution {
    std::string scheduler;  // or the schedule of a task graph
    std::uint32_t cpus = 1;
    bool has_timeline = true;
    std::string packed;
    std::string without_timeline;  // the same, accounts alone
};

// Timelines as long as they fit, accounts for all, and a note on those that do not. With a simulator in the
// report they only stand in for it.
void add_executions(ReportElements& report, std::vector<PackedExecution> executions, bool has_simulator);

}  // namespace parcast::cli
