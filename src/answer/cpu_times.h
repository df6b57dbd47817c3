// How much CPU time a program takes with so many threads, on one CPU: an indicator of how far a prediction
// for another host can be trusted (Broberg 2002, paper III, section 4.3). What grows here and not there is
// work that the prediction has too much of.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/spread.h"

namespace parcast {

struct CpuTimeAt {
    std::uint32_t cpus = 1;  // the number that the program gets
    Spread cpu_ns;           // on one CPU, unrecorded
    double turn_share = 0;   // of it, what turns on the one CPU cost; it is no work of the program

    double work_ns() const { return cpu_ns.median * (1 - turn_share); }
    friend bool operator==(CpuTimeAt const&, CpuTimeAt const&) = default;
};

struct CpuTimes {
    std::vector<std::string> command;  // with {cpus} in it
    std::vector<CpuTimeAt> counts;     // rising

    friend bool operator==(CpuTimes const&, CpuTimes const&) = default;
};

// CPU time of so many threads over that of one, without what turns cost. None: one of them is missing.
std::optional<double> cpu_growth(CpuTimes const& times, std::uint32_t cpus);

// More or less is a finding.
inline constexpr double notable_cpu_growth = 0.05;

// The rule of the paper. It made three of nine predictions worse, so it stands beside them, never in their
// place.
constexpr double speed_up_there(double speed_up, double growth_here, double growth_there) {
    return speed_up * growth_here / growth_there;
}

}  // namespace parcast
