#include "model/bounds/speed_up_bounds.h"

#include <algorithm>
#include <cmath>

namespace parcast::model {

double work_conserving_lower_bound(double average, std::uint32_t processors) {
    double const count = processors;
    return count * average / (count + average - 1);
}

double sharing_lower_bound(double average, double most, std::uint32_t processors) {
    if (most <= 1)
        return average;
    double const count = processors;
    // The worst profile has times with one task and times with the most, and none between.
    double const divisor = count + average - 1 - (count - 1) * (average - 1) / (most - 1);
    return std::min(average, count * average / divisor);
}

ProfileBounds speed_up_bounds(ParallelismProfile const& profile, std::uint32_t processors) {
    ProfileBounds bounds;
    if (profile.levels.empty())
        return bounds;
    double const average = profile.average();
    double const count = processors;
    bounds.lower = work_conserving_lower_bound(average, processors);
    bounds.upper = std::min(count, average);
    bounds.sharing.lower = sharing_lower_bound(average, profile.most(), processors);
    double shared = 0;
    double rounds = 0;
    for (ParallelismLevel const& level : profile.levels) {
        shared += level.time_ns * std::max(1.0, level.tasks / count);
        rounds += level.time_ns * std::ceil(level.tasks / count);
    }
    bounds.sharing.exact = profile.work_ns / shared;
    bounds.estimate = profile.work_ns / rounds;
    return bounds;
}

}  // namespace parcast::model
