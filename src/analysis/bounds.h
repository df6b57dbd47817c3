// How far a program can scale at all, whatever the scheduler: bounds on the speed-up from its work, its
// critical path and the time on one processor.
//
//     upper(P) = T1 / max(work / P, span)
//     lower(P) = T1 / ((work - span_work) / P + span)          Graham 1969 / Brent 1974, greedy scheduling
//
// where span is the completion time with a processor for every thread, span_work its CPU part and T1 the time
// on one processor, without scheduling costs as well. Both grow with P; for P = 1 the speed-up is 1 by
// definition, and P processors do at most P times as much as one, which caps them. Where busy processors slow
// each other down, P of them do at best as much as max k speed(k), k <= P, alone, and at worst each works at
// the least speed(k); the lower bound need not grow then. Assumptions: locks are taken in the order of the
// unbounded run; no scheduling costs. A prediction with costs, or one that takes locks in another order, can
// leave them (Graham's anomalies): to users they are the ideal range.

#pragma once

#include <cstdint>
#include <span>

#include "answer/scaling.h"
#include "core/time.h"

namespace parcast::analysis {

// REQUIRES: cpus >= 1. A program without work has bounds 1 and 1.
// speeds[k - 1]: of each of k busy processors, relative to one alone; the last holds for more, empty: all 1.
SpeedUpBounds speed_up_bounds(Duration time_on_one, Duration work, Span span, std::uint32_t cpus,
                              std::span<double const> speeds = {});

}  // namespace parcast::analysis
