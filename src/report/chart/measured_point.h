// What was measured of a program beside its prediction: a point of the speed-up chart.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/spread.h"

namespace parcast::report {

struct MeasuredPoint {
    std::uint32_t cpus = 1;
    Spread speed_up;                       // over the same threads on one CPU, round by round
    double time_ns = 0;                    // median, from start to end of the process
    std::vector<std::string> explanation;  // of its difference from the prediction; sentences
};

}  // namespace parcast::report
