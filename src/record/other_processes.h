// How much CPU time did the other processes of a job use while one of them ran? A prediction replays one
// process, so that it says little about a job in which others do the work.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parcast::record {

// A process, or one of the program images that it executed in turn. REQUIRES: begin_ns <= end_ns.
struct ProcessSpan {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t cpu_ns = 0;
};

// For each span, the CPU time of all others while it lasted, ns. The CPU time of a process is taken to be
// spread evenly over its span. Cost: O(n log n).
std::vector<std::int64_t> cpu_of_others(std::span<ProcessSpan const> spans);

}  // namespace parcast::record
