// Why does the work of a series grow with P: because each thread brings work of its own (scaled execution),
// or because events add work to that of one thread? Two laws of two parameters each are fitted to the work,
// by least squares of relative residuals:
//
//     scaled:  W(P) = c P^k          events:  W(P) = W(1) + theta E(P)
//
// Events that add work grow faster than P, and so are next to nothing for few threads: the work stays the
// same there and rises late. Work that threads bring grows from the least P on.
//
// The laws differ by 4 or more in n ln(squares), as Akaike's criterion has it, or neither is preferred. Where
// runs lie closer to a law than 2 % that is chance.

#pragma once

#include <span>

#include "model/events_threads/added_work.h"

namespace parcast::model {

enum class GrowthOfWork {
    none,     // k below 0.5
    events,   // what events add explains it better
    threads,  // k of 0.8 and more, and the better law; or runs within 5 % of a k of about 1
    unclear,  // neither
};

struct WorkGrowth {
    GrowthOfWork cause = GrowthOfWork::none;
    double exponent = 0;  // k
};

// `series`: the work that threads are active for. REQUIRES: threads > 0. No growth: fewer than two numbers of
// threads, or a run without work. Cost: linear.
WorkGrowth work_growth(std::span<WorkAndEvents const> series);

}  // namespace parcast::model
