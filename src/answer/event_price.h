#pragma once

#include <optional>
#include <string>

#include "core/spread.h"

namespace parcast {

// What recording an event takes in this program.
struct EventPrice {
    double recorder_ns = 0;  // as the recorder measured it in the process
    double ns = 0;           // by what the recorded run took more than the fastest unrecorded one
    std::optional<Spread> bare_cpu_ns = {};  // CPU time of the unrecorded runs on one CPU
    bool is_used =
        false;  // by the prediction; if not, it is too far from the recorder's to be a price of events
    std::string problem = {};  // why there is none
};

}  // namespace parcast
