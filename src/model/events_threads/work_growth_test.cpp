#include "model/events_threads/work_growth.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

struct GrowthCase {
    std::vector<double> threads;
    std::vector<double> work;
    std::vector<double> events;
    GrowthOfWork cause;
    std::string because;
};

std::vector<double> over(std::vector<double> const& threads, double constant, double factor, double power) {
    std::vector<double> values;
    for (double const each : threads)
        values.push_back(constant + factor * std::pow(each, power));
    return values;
}

std::vector<GrowthCase> growth_cases() {
    std::vector<double> const few{1, 2, 4, 8};
    std::vector<double> const many{2, 4, 8, 16, 32, 64, 128};
    std::vector<double> const late{32, 64, 128};
    std::vector<double> const two{1, 8};
    using enum GrowthOfWork;
    return {
        {few, over(few, 100, 0, 1), over(few, 2, 84, 1), none, "work that stays the same"},
        {few, over(few, 0, 100, 1), over(few, 0, 50, 1), threads, "work and events in proportion to P"},
        {few, over(few, 10, 100, 1), over(few, 0, 50, 1), threads, "and little beside it"},
        {few, over(few, 0, 100, 1), over(few, 0, 50, 2), threads, "whatever the events do"},
        {few, {100, 195, 420, 780}, over(few, 2, 84, 1), threads, "with the noise of runs"},
        {few, over(few, 0, 100, 1), {9, 9, 9, 9}, threads, "events that never change"},
        {many, over(many, 0, 10, 1), over(many, -182, 135, 1), threads, "and events along a tree"},
        {many, over(many, 50, 0.04, 2), over(many, 0, 20, 2), events, "k = 0.6, all of it late"},
        {many, over(many, 50, 0.08, 2), over(many, 0, 20, 2), events, "k = 0.7, likewise"},
        {late, over(late, 50, 0.04, 2), over(late, 0, 20, 2), events, "k = 1.4, and still a large W(1)"},
        {many, over(many, 0, 10, 0.65), over(many, 0, 20, 1), unclear, "a power between the two"},
        {{16, 32, 64, 128}, {63, 110, 239, 648}, {4879, 19999, 80959, 325759}, unclear, "too much noise"},
        {two, {100, 800}, {50, 400}, threads, "two runs in proportion to P"},
        {two, {100, 400}, {50, 3200}, unclear, "two runs fit any law"},
        {{4}, {100}, {50}, none, "one run does not grow"},
    };
}

TEST(WorkGrowthTest, tells_work_of_threads_from_work_of_events) {
    for (auto const& each : growth_cases()) {
        SCOPED_TRACE(each.because);
        std::vector<WorkAndEvents> series;
        for (std::size_t i = 0; i < each.threads.size(); ++i)
            series.push_back({each.threads[i], each.work[i], each.events[i], 0});
        EXPECT_EQ(work_growth(series).cause, each.cause);
    }
}

// The work of a solver was recorded five times with 2 to 128 threads: exponents of 0.577 to 0.643 from the
// first run to the last were scaled executions above 0.6, and none below.
TEST(WorkGrowthTest, noise_at_a_threshold_decided) {
    std::vector<std::vector<double>> const runs{{47.55, 50.55, 52.71, 59.89, 92.31, 191.07, 576.18},
                                                {49.74, 49.34, 53.62, 64.55, 94.71, 220.72, 721.82},
                                                {47.70, 47.58, 51.88, 59.81, 80.08, 171.89, 528.04},
                                                {49.06, 63.52, 58.63, 72.60, 103.37, 230.97, 694.05},
                                                {58.83, 51.74, 48.92, 63.01, 110.08, 238.96, 648.18}};
    for (auto const& work : runs) {
        std::vector<WorkAndEvents> series;
        double threads = 1;
        for (double const each : work) {
            threads *= 2;
            series.push_back({threads, each, 20 * threads * threads - 15 * threads - 1, 0});
        }
        EXPECT_EQ(work_growth(series).cause, GrowthOfWork::events);
    }
}

}  // namespace
}  // namespace parcast::model
