#include "model/events_threads/added_work.h"

#include <algorithm>
#include <cmath>

#include "core/sample.h"
#include "model/events_threads/over_threads.h"

namespace parcast::model {

namespace {

// W = conserved + theta E, by least squares.
struct Line {
    double slope = 0;
    double at_zero = 0;
    std::optional<ConfidenceInterval> slope_95;
    std::optional<double> deviation_95;  // of one point
};

std::optional<Line> line_through(std::span<WorkAndEvents const> series) {
    Sample events;
    Sample work;
    for (auto const& run : series) {
        events.add(run.events);
        work.add(run.work_ns);
    }
    double squares = 0;
    double products = 0;
    for (auto const& run : series) {
        double const apart = run.events - events.mean();
        squares += apart * apart;
        products += apart * (run.work_ns - work.mean());
    }
    if (!(squares > 0))
        return std::nullopt;
    Line line;
    line.slope = products / squares;
    line.at_zero = work.mean() - line.slope * events.mean();
    if (series.size() > 2) {
        double left = 0;
        for (auto const& run : series) {
            double const residual = run.work_ns - line.at_zero - line.slope * run.events;
            left += residual * residual;
        }
        auto const freedom = static_cast<double>(series.size() - 2);
        line.deviation_95 = student_95(freedom) * std::sqrt(left / freedom);
        double const half = *line.deviation_95 / std::sqrt(squares);
        line.slope_95 = ConfidenceInterval{line.slope - half, line.slope + half};
    }
    return line;
}

// What is left of the work of each run beside W_cons and theta E.
AddedWork divided(std::span<WorkAndEvents const> series, double theta_ns, double conserved_ns) {
    AddedWork added;
    added.theta_ns = theta_ns;
    added.conserved_ns = conserved_ns;
    Sample beyond_one;  // W_cc + W_alg of runs with several threads
    for (auto const& run : series) {
        double const communication = theta_ns * run.events;
        added.runs.push_back({run.threads, communication, run.work_ns - conserved_ns - communication,
                              run.events > 0 ? run.time_ns * run.threads / run.events : 0});
        if (run.threads > 1)
            beyond_one.add(run.work_ns - conserved_ns);
    }
    constexpr double constant = 0.1;
    if (beyond_one.count() > 1 && beyond_one.mean() > 0) {
        added.variation = beyond_one.cv();
        added.stays_constant = *added.variation <= constant;
    }
    return added;
}

WorkAndEvents const* run_of_one(std::span<WorkAndEvents const> series) {
    auto const one = std::ranges::find(series, 1.0, &WorkAndEvents::threads);
    return one == series.end() ? nullptr : &*one;
}

}  // namespace

Result<AddedWork> added_work(std::span<WorkAndEvents const> series) {
    if (series.size() < 2)
        return fail(ErrorCode::out_of_range, "the cost of an event needs runs with two numbers of threads");
    auto const line = line_through(series);
    if (!line)
        return fail(ErrorCode::inconsistent,
                    "all runs have the same number of events: what one of them costs does not show");
    auto const* const one = run_of_one(series);
    auto added = divided(series, line->slope, one ? one->work_ns - line->slope * one->events : line->at_zero);
    added.theta_95 = line->slope_95;
    added.noise_ns = line->deviation_95;
    return added;
}

Result<AddedWork> added_work(std::span<WorkAndEvents const> series, double theta_ns) {
    if (series.empty())
        return fail(ErrorCode::out_of_range, "there are no runs");
    auto const* const one = run_of_one(series);
    auto const& first = one ? *one : *std::ranges::min_element(series, {}, &WorkAndEvents::threads);
    return divided(series, theta_ns, first.work_ns - theta_ns * first.events);
}

}  // namespace parcast::model
