// Work over events, W = at_zero + slope E, by least squares of the relative residuals: the work of a run is
// known to a share of itself, so that one long run must not decide what the short ones say.

#pragma once

#include <optional>
#include <span>

#include "model/events_threads/added_work.h"

namespace parcast::model {

struct RelativeLine {
    double at_zero_ns = 0;
    double slope_ns = 0;
    std::optional<double> at_zero_95;  // half of the 95 % interval; none: fewer than three runs
    double squares = 0;                // sum of the squared relative residuals
};

// None: the number of events never changes, or a run has no work. Cost: linear.
std::optional<RelativeLine> relative_line(std::span<WorkAndEvents const> series);

}  // namespace parcast::model
