// What the speed-up of a task graph on P processors lies between, by its average and maximum parallelism
// alone, and what its whole profile says (Eager, Zahorjan and Lazowska 1989; Adve 1993, sections 2.6
// and 6.4).
//
//     lower      P A / (P + A - 1)         holds for every schedule in which no processor idles while a task
//     upper      min(P, A)                 is ready (work-conserving); static schedules are none
//     sharing.lower, sharing.exact         hold for processor sharing with a process for each ready task
//     estimate   A / sum f_i ceil(i / P)   no bound: as if tasks that run at once were equal rounds
//
// where A is the average parallelism, work / span, and f_i the part of the span in which i tasks run. No
// costs, no contention.

#pragma once

#include <cstdint>
#include <optional>

#include "answer/scaling.h"
#include "model/bounds/parallelism_profile.h"

namespace parcast::model {

struct SharingBounds {
    double lower = 1;  // of any graph with this average and maximum parallelism
    double exact = 1;  // of this one
};

struct ProfileBounds : SpeedUpBounds {
    SharingBounds sharing;
    double estimate = 1;

    // The number between the bounds that is nearest to both: off by a third at most, while the geometric mean
    // may be off by sqrt(2) - 1.
    double middle() const { return 2 * lower * upper / (lower + upper); }
};

// REQUIRES: processors >= 1.
ProfileBounds speed_up_bounds(ParallelismProfile const& profile, std::uint32_t processors);

// The same of numbers. REQUIRES: 1 <= average <= most.
double work_conserving_lower_bound(double average, std::uint32_t processors);
double sharing_lower_bound(double average, double most, std::uint32_t processors);

}  // namespace parcast::model
