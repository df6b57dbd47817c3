// A predicted speed-up beside a measured one, and where the difference comes from.
//
// Let x be the measured and y the predicted time on k CPUs, each over the time on one CPU, of the fastest
// runs. The error is x/y - 1. Processors either work or idle: k x = (user + system + idle) / (time on one),
// so the difference splits exactly into how much more than predicted the program's own code took longer on k
// CPUs than on one (user), the same of the system's work for it, what processors idled more than predicted,
// and what one CPU idled less or more than in the prediction (one_cpu). The parts sum to the error.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/spread.h"
#include "core/time.h"

namespace parcast {

// A whole run, as the system charged it, or as it is predicted.
struct RunTimes {
    Duration wall;
    Duration user;    // predicted: work, what busy processors slow it down, and spinning
    Duration system;  // predicted: switching, waking, creating threads
};

enum class DeviationPart : std::uint8_t { user, system, idle, one_cpu };

inline constexpr std::array deviation_names = {"user", "system", "idle", "one_cpu"};

// As in JSON.
constexpr char const* name_of(DeviationPart part) {
    return deviation_names[static_cast<std::size_t>(part)];
}

struct Deviation {
    DeviationPart part = DeviationPart::user;
    double share = 0;  // of the predicted time; positive: the measured run is slower because of it

    friend bool operator==(Deviation const&, Deviation const&) = default;
};

struct Comparison {
    double predicted = 1;     // speed-up
    Spread measured;          // speed-ups, run by run
    double best = 1;          // fastest run on one CPU over fastest run on many
    double error = 0;         // |best - predicted| / best
    double median_error = 0;  // |median - predicted| / median
    double user_growth = 0;   // user time on many over that on one, minus 1, of the fastest runs
    double predicted_user_growth = 0;
    bool is_within_range = false;   // the prediction lies in the range of `measured`
    std::vector<Deviation> causes;  // the parts, largest share first
};

}  // namespace parcast
