// Several schedules of a task graph beside each other: what each takes on each number of CPUs, and which is
// the best there.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// No other schedule takes less on that number of CPUs; several can be.
bool is_best(std::vector<ScheduledRows> const& schedules, std::size_t schedule, std::size_t row);

// "1.50 - 2.00"; empty where there are none.
std::string range_text(std::optional<SpeedUpBounds> const& bounds);

// REQUIRES: more than one schedule. Few stand side by side, a row a number of CPUs. Of more each gets a row,
// in two tables: times, and speed-ups with efficiencies. The best of each number of CPUs is marked '*'.
std::string schedule_table(std::vector<ScheduledRows> const& schedules, Layout const& layout);

// Where another schedule gains most over the first one; and what lpt gains over fifo, if that is not the
// same.
std::vector<std::string> gains(std::vector<ScheduledRows> const& schedules);

}  // namespace parcast::report
