#include "model/events_threads/other_laws.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace parcast::model {

namespace {

// Root mean square of the relative errors of a law at the points with P > 1.
double relative_error(std::span<MeasuredSpeedUp const> points, auto const& law) {
    double squares = 0;
    double count = 0;
    for (auto const& point : points) {
        if (point.threads <= 1)
            continue;
        double const error = law(point.threads) / point.speed_up - 1;
        squares += error * error;
        ++count;
    }
    return std::sqrt(squares / count);
}

// The weighted sums of y = c x + k z over the points.
struct Sums {
    double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0;
};

// y = P / S - 1, x = P - 1, z = P (P - 1), with weights that make errors relative to P / S.
Sums sums_of(std::span<MeasuredSpeedUp const> points) {
    Sums sums;
    for (auto const& [threads, speed_up] : points) {
        double const weight = speed_up / threads;
        double const x = weight * (threads - 1);
        double const z = x * threads;
        double const y = weight * (threads / speed_up - 1);
        sums.xx += x * x;
        sums.xz += x * z;
        sums.zz += z * z;
        sums.xy += x * y;
        sums.zy += z * y;
    }
    return sums;
}

SerialShare fit_amdahl(std::span<MeasuredSpeedUp const> points) {
    auto const sums = sums_of(points);
    double const serial = std::clamp(sums.xy / sums.xx, 0.0, 1.0);
    return {serial, relative_error(points, [&](double p) { return amdahl_speed_up(serial, p); })};
}

// 1 - S / P = s (P - 1) / P, relative to S / P.
SerialShare fit_gustafson(std::span<MeasuredSpeedUp const> points) {
    double squares = 0;
    double products = 0;
    for (auto const& [threads, speed_up] : points) {
        double const x = (threads - 1) / speed_up;
        squares += x * x;
        products += x * (threads - speed_up) / speed_up;
    }
    double const serial = std::clamp(products / squares, 0.0, 1.0);
    return {serial, relative_error(points, [&](double p) { return gustafson_speed_up(serial, p); })};
}

// Least squares of a convex quadratic in a box, 0 <= contention <= 1 and 0 <= coherency: where the free
// minimum lies outside, the least of the minima on the three sides.
UniversalScalability fit_universal(std::span<MeasuredSpeedUp const> points) {
    auto const sums = sums_of(points);
    double const determinant = sums.xx * sums.zz - sums.xz * sums.xz;
    UniversalScalability law;
    law.contention = (sums.xy * sums.zz - sums.zy * sums.xz) / determinant;
    law.coherency = (sums.zy * sums.xx - sums.xy * sums.xz) / determinant;
    if (law.contention < 0 || law.contention > 1 || law.coherency < 0) {
        auto const with_contention = [&](double contention) {
            return UniversalScalability{
                .contention = contention,
                .coherency = std::max(0.0, (sums.zy - contention * sums.xz) / sums.zz)};
        };
        // Without the part that is the same for all.
        auto const squares = [&](UniversalScalability const& each) {
            auto const [c, k] = std::pair(each.contention, each.coherency);
            return c * c * sums.xx + 2 * c * k * sums.xz + k * k * sums.zz - 2 * (c * sums.xy + k * sums.zy);
        };
        law = std::ranges::min(
            {with_contention(0), with_contention(1),
             UniversalScalability{.contention = std::clamp(sums.xy / sums.xx, 0.0, 1.0), .coherency = 0}},
            {}, squares);
    }
    if (law.coherency > 0)
        law.peak = std::max(1.0, std::sqrt((1 - law.contention) / law.coherency));
    else if (law.contention > 0)
        law.limit = 1 / law.contention;
    law.relative_error = relative_error(points, [&](double p) { return universal_speed_up(law, p); });
    return law;
}

}  // namespace

double amdahl_speed_up(double serial, double threads) {
    return threads / (1 + serial * (threads - 1));
}

double gustafson_speed_up(double serial, double threads) {
    return threads - serial * (threads - 1);
}

double universal_speed_up(UniversalScalability const& law, double threads) {
    return threads / (1 + law.contention * (threads - 1) + law.coherency * threads * (threads - 1));
}

Result<OtherLaws> other_laws(std::span<MeasuredSpeedUp const> points) {
    std::size_t parallel = 0;
    for (auto const& point : points) {
        if (!(point.speed_up > 0) || !std::isfinite(point.speed_up))
            return fail(ErrorCode::out_of_range, "a speed-up is not a number above 0");
        parallel += point.threads > 1;
    }
    if (parallel == 0)
        return fail(ErrorCode::out_of_range, "laws of speed-up need a time with more than one thread");
    OtherLaws laws{fit_amdahl(points), fit_gustafson(points), {}};
    if (parallel > 1)
        laws.universal = fit_universal(points);
    return laws;
}

}  // namespace parcast::model
