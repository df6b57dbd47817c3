// For how much of the time were how many processors busy? The profile of an execution as bars of text.

#pragma once

#include <string>
#include <vector>

namespace parcast::report {

// A sign for each share of the processors, from none to all: its height is the share of the time. Of many
// processors neighbours share a sign. Empty if there is no time.
std::string busy_signs(std::vector<double> const& busy_for_ns);

// A line for each number of busy processors, or for a range of them, the most first.
std::string busy_histogram(std::vector<double> const& busy_for_ns);

}  // namespace parcast::report
