// Up to how many processors a program scales, and what stops it beyond.
//
// Rule: going through the predicted processor counts from 1 upwards, the program scales to the last one
// for which each processor added since the one that it scaled to before returned, on average, at least half
// of what a processor returns at best:
//
//     (speed_up[i] - speed_up[last]) / (cpus[i] - cpus[last]) >= 1/2
//
// So a count at which the work does not divide well (9 processors for 16 equal pieces) does not end it.
// Marginal gains, not efficiency, because efficiency forgets: 4 processors that give 3.9 and 8 that give 4.0
// still have an efficiency of 50 %, though the last four do nothing.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/limit.h"
#include "answer/scaling.h"
#include "timeline/accounts.h"

namespace parcast::analysis {

struct SpeedUpAt {
    std::uint32_t cpus = 1;
    double speed_up = 1;
};

// REQUIRES: cpus rise strictly. One processor, with speed-up 1, is the start whether it is in the list or
// not.
Scaling scaling(std::span<SpeedUpAt const> predictions);

// Who runs longest; none for an execution without time.
std::optional<BusiestThread> busiest_thread(Accounts const& accounts);

}  // namespace parcast::analysis
