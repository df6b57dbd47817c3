// LogGOPSim, as a program of its own: the one that the environment names in LOGGOPSIM.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast::bench {

struct LogGopsimRun {
    std::int64_t completion_ns = 0;
    double cpu_s = 0;  // of the whole process
};

bool has_loggopsim();

// The schedule in a file in GOAL's binary form, with its default network. None: it does not run, or ends
// otherwise.
std::optional<LogGopsimRun> run_loggopsim(std::string const& file);

}  // namespace parcast::bench
