#include "study/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "core/counted.h"

namespace parcast::study {

namespace {

constexpr double least_presser_share = 0.5;
constexpr double least_cpu_share = 0.1;
constexpr double least_apart = 0.05;   // of the slowdowns of both loops
constexpr double of_runs = 0.014;      // relative deviation of a ratio of two runs, at least
constexpr double of_loops = 0.01;      // of a ratio of loops
constexpr double most_sensitive = 10;  // what waits for each access, and is thrown out of a cache
constexpr double most_pressing = 2;
constexpr double wide = 1.645;            // of nine of ten under a normal law, in standard deviations
constexpr double from_absolute = 1.4826;  // median of absolute deviations to a standard deviation
constexpr double of_medians = 1.2533;     // the deviation of a median, in that of a mean

double median_of_values(std::vector<double> values) {
    std::ranges::sort(values);
    std::size_t const half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

template <class Values, class Value>
double median_by(Values const& values, Value&& value) {
    std::vector<double> all;
    for (auto const& each : values)
        all.push_back(value(each));
    return median_of_values(std::move(all));
}

// Something over a place on a scale.
struct Point {
    double along = 0;  // the length of the scale
    double up = 0;
    double deviation = 0;  // of `up`, at least
};

// The slope of the line through the origin with the least sum of absolute deviations: the median of the
// slopes of all points, weighted by how far along they are (Laplace 1793).
double slope_of(std::vector<Point> points) {
    std::ranges::sort(points, {}, [](Point const& point) { return point.up / point.along; });
    double const all = std::accumulate(points.begin(), points.end(), 0.0,
                                       [](double sum, Point const& point) { return sum + point.along; });
    double before = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto const slope = points[i].up / points[i].along;
        before += points[i].along;
        if (2 * before == all)
            return (slope + points[i + 1].up / points[i + 1].along) / 2;
        if (2 * before > all)
            return slope;
    }
    return 0;
}

// With its range. Few points tell less of their own spread: by Student's law.
Sensed line_through(std::vector<Point> const& points, double most) {
    double const slope = slope_of(points);
    double squares = 0;
    double least = 0;
    for (auto const& point : points) {
        squares += point.along * point.along;
        least += point.along * point.along * point.deviation * point.deviation;
    }
    double deviation = std::sqrt(least) / squares;
    if (points.size() > 1) {
        double const apart =
            median_by(points, [&](Point const& point) { return std::abs(point.up - slope * point.along); });
        auto const freedom = static_cast<double>(points.size() - 1);
        double const student = boost::math::quantile(boost::math::students_t(freedom), 0.95) / wide;
        deviation = std::max(deviation, from_absolute * of_medians * student * apart / std::sqrt(squares));
    }
    auto const within = [&](double value) { return std::clamp(value, 0.0, most); };
    // Nobody gains by pressure: what is below nothing is noise, and is nothing within that noise.
    double const value = within(slope);
    return {value, within(value - wide * deviation), within(value + wide * deviation)};
}

// Where others took some of the pressing CPUs' time, there was less to suffer from.
double under_full_pressure(Pressed const& pressed) {
    return 1 + (pressed.slowdown - 1) / pressed.presser_share;
}

bool is_pressed(PressedRun const& run) {
    return std::min({run.program.presser_share, run.compute.presser_share, run.memory.presser_share}) >=
           least_presser_share;
}

Point suffering(PressedRun const& run) {
    double const program = under_full_pressure(run.program);
    double const compute = under_full_pressure(run.compute);
    double const memory = under_full_pressure(run.memory);
    return {std::max(0.0, memory - compute), program - compute,
            std::hypot(of_runs * program, of_loops * compute)};
}

// In times of the pressing loop beside a loop that computes. While the program does not run, nobody slows it.
Point pressing(PressedRun const& run) {
    double const beside_compute = run.compute.presser_ns;
    double const share = std::max(least_cpu_share, run.program.cpu_share);
    return {std::max(0.0, run.memory.presser_ns / beside_compute - 1),
            (run.program.presser_ns / beside_compute - 1) / share, of_loops / share};
}

std::vector<Point> points_of(std::vector<PressedRun> const& runs, Point (*point_of)(PressedRun const&)) {
    std::vector<Point> points;
    for (auto const& run : runs)
        if (auto const point = point_of(run); point.along > 0)
            points.push_back(point);
    return points;
}

double mean_along(std::vector<Point> const& points, std::size_t of) {
    double sum = 0;
    for (auto const& point : points)
        sum += point.along;
    return sum / static_cast<double>(of);
}

}  // namespace

Pressed median_of(std::vector<Pressed> const& pressed) {
    return {median_by(pressed, [](Pressed const& each) { return each.slowdown; }),
            median_by(pressed, [](Pressed const& each) { return each.presser_share; }),
            median_by(pressed, [](Pressed const& each) { return each.presser_ns; }),
            median_by(pressed, [](Pressed const& each) { return each.cpu_share; })};
}

Result<MemorySensing> sensitivity_of(std::vector<PressedRun> const& all, std::int64_t pressing_cpus) {
    std::vector<PressedRun> runs;
    std::ranges::copy_if(all, std::back_inserter(runs), is_pressed);
    if (runs.empty())
        return fail(make_error(ErrorCode::out_of_range,
                               "others took the CPUs that were to be busy with memory for more than half of "
                               "the time",
                               "Record again on a quieter machine."));
    auto const suffers = points_of(runs, suffering);
    auto const presses = points_of(runs, pressing);
    if (mean_along(suffers, runs.size()) < least_apart || mean_along(presses, runs.size()) < least_apart)
        return fail(make_error(ErrorCode::out_of_range,
                               "beside " + counted(pressing_cpus, "CPU") +
                                   " busy with memory not even a loop that only moves memory is slower here, "
                                   "so there is no scale for a program",
                               "Busy CPUs of this machine do not share what limits them; another one may "
                               "tell."));
    return MemorySensing{
        .sensitivity = line_through(suffers, most_sensitive),
        .pressure = line_through(presses, most_pressing),
        .slowdown = median_by(runs, [](auto const& run) { return under_full_pressure(run.program); }),
        .compute_slowdown = median_by(runs, [](auto const& run) { return under_full_pressure(run.compute); }),
        .memory_slowdown = median_by(runs, [](auto const& run) { return under_full_pressure(run.memory); }),
        .pressing_cpus = pressing_cpus,
        .runs = static_cast<std::int64_t>(runs.size())};
}

}  // namespace parcast::study
