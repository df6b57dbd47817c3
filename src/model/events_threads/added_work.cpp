#include "model/events_threads/added_work.h"

#include <algorithm>
#include <cmath>

#include "core/sample.h"
#include "model/events_threads/over_threads.h"
#include "model/events_threads/relative_line.h"

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

struct Conserved {
    double ns = 0;
    ConservedSource source = ConservedSource::run_of_one;
};

// What is left of the work of each run beside W_cons and theta E.
AddedWork divided(std::span<WorkAndEvents const> series, double theta_ns, Conserved const& conserved) {
    AddedWork added;
    added.theta_ns = theta_ns;
    added.conserved_ns = conserved.ns;
    added.conserved_source = conserved.source;
    Sample beyond_one;  // W_cc + W_alg of runs with several threads
    for (auto const& run : series) {
        double const communication = theta_ns * run.events;
        added.runs.push_back({run.threads, communication, run.work_ns - conserved.ns - communication,
                              run.events > 0 ? run.time_ns * run.threads / run.events : 0});
        if (run.threads > 1)
            beyond_one.add(run.work_ns - conserved.ns);
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

WorkAndEvents const& run_of_fewest(std::span<WorkAndEvents const> series) {
    return *std::ranges::min_element(series, {}, &WorkAndEvents::threads);
}

// The line by which theta is found is that of the longest run: where its events cost more than elsewhere, it
// meets no events far below every measured work.
Conserved conserved_by_series(std::span<WorkAndEvents const> series, double theta_ns) {
    constexpr double well_known = 0.2;
    if (auto const* const one = run_of_one(series))
        return {one->work_ns - theta_ns * one->events, ConservedSource::run_of_one};
    auto const line = relative_line(series);
    if (line && line->at_zero_95 && *line->at_zero_95 <= well_known * line->at_zero_ns)
        return {line->at_zero_ns, ConservedSource::line};
    auto const& fewest = run_of_fewest(series);
    auto const of_events = theta_ns * fewest.events;
    if (std::abs(of_events) <= well_known * fewest.work_ns)
        return {fewest.work_ns - of_events, ConservedSource::fewest_threads};
    auto const least = std::ranges::min_element(series, {}, &WorkAndEvents::work_ns)->work_ns;
    return {std::clamp(line ? line->at_zero_ns : 0, 0.0, std::max(0.0, least)), ConservedSource::unknown};
}

}  // namespace

Result<AddedWork> added_work(std::span<WorkAndEvents const> series) {
    if (series.size() < 2)
        return fail(ErrorCode::out_of_range, "the cost of an event needs runs with two numbers of threads");
    auto const line = line_through(series);
    if (!line)
        return fail(ErrorCode::inconsistent,
                    "all runs have the same number of events: what one of them costs does not show");
    auto added = divided(series, line->slope, conserved_by_series(series, line->slope));
    added.theta_95 = line->slope_95;
    added.noise_ns = line->deviation_95;
    return added;
}

Result<AddedWork> added_work(std::span<WorkAndEvents const> series, double theta_ns) {
    if (series.empty())
        return fail(ErrorCode::out_of_range, "there are no runs");
    auto const* const one = run_of_one(series);
    auto const& first = one ? *one : run_of_fewest(series);
    return divided(series, theta_ns,
                   {first.work_ns - theta_ns * first.events,
                    one ? ConservedSource::run_of_one : ConservedSource::fewest_threads});
}

}  // namespace parcast::model
