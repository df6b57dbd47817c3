#include "model/renewal/renewal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace parcast::model {

namespace {

constexpr double most_intervals = 1e12;
constexpr double most_terms = 5e6;
constexpr double most_cv = 1e6;
constexpr double constant_cv = 1e-7;  // below, a sum of gamma distributed intervals is as good as constant

Result<void> check(double cpu, RandomInterval const& processing) {
    auto const is_quantity = [](double value) { return std::isfinite(value) && value >= 0; };
    if (!is_quantity(cpu))
        return fail(ErrorCode::out_of_range, "the CPU time is negative or not a finite number");
    if (!is_quantity(processing.mean) || processing.mean == 0) {
        return fail(ErrorCode::out_of_range,
                    "the mean of the processing intervals is not a finite number above 0");
    }
    if (!is_quantity(processing.cv) || processing.cv > most_cv) {
        return fail(ErrorCode::out_of_range,
                    "the coefficient of variation of the processing intervals is not a number from 0 to 1e6");
    }
    if (cpu / processing.mean > most_intervals)
        return fail(ErrorCode::out_of_range, "more than 1e12 processing intervals in the CPU time");
    return {};
}

// Constant intervals.
DelayCount constant_delays(double intervals) {
    return {std::floor(intervals), 0};
}

// Intervals with a gamma distribution, in units of its scale: the sum of k intervals has the shape k *
// shape, so that R reaches k with the probability P(k * shape, cpu). Moments are about a whole number near
// the mean: about 0 they would cancel.
DelayCount gamma_delays(double intervals, double cv) {
    double const shape = 1 / (cv * cv);
    double const cpu = intervals * shape;
    double const centre = std::floor(intervals);
    constexpr double negligible = 1e-19;
    double mean = 0;
    double square = 0;
    for (double above = 1;; ++above) {
        double const reached = boost::math::gamma_p((centre + above) * shape, cpu);
        mean += reached;
        square += (2 * above - 1) * reached;
        if (reached * above < negligible)
            break;
    }
    for (double below = 1; below <= centre; ++below) {
        double const missed = boost::math::gamma_q((centre - below + 1) * shape, cpu);
        mean -= missed;
        square += (2 * below - 1) * missed;
        if (missed * below < negligible)
            break;
    }
    return {centre + mean, square - mean * mean};
}

// About as many numbers of delays have a probability that a double shows.
double terms_of_gamma(double intervals, double cv) {
    return 10 * std::sqrt(intervals) * cv + 40 * cv * cv;
}

// Partial fractions of the Laplace transforms of E[R] and E[R^2], with the growth of E[R]^2 taken out of the
// variance by hand: about 0 it would cancel. With rates l1 and l2 of the stages, g = p1 l2 + p2 l1, c = l1 l2
// and b = p1 l1 + p2 l2:  E[R](s) = (b s + c) / (s^2 (s + g)),  E[R^2](s) = (b s + c)(s^2 + (g + 2b) s + 2c)
// / (s^3 (s + g)^2).
DelayCount hyperexponential_delays(double cpu, Hyperexponential const& law) {
    double const l1 = 1 / law.mean_of_first;
    double const l2 = 1 / law.mean_of_second;
    double const p1 = law.first;
    double const p2 = 1 - p1;
    double const g = p1 * l2 + p2 * l1;
    double const c = l1 * l2;
    double const b = p1 * l1 + p2 * l2;
    double const rate = c / g;
    double const shift = p1 * p2 * (l1 - l2) * (l1 - l2) / (g * g);
    double const fading = std::exp(-g * cpu);

    // Coefficients of the numerator of E[R^2], by power of s, and what they leave: of 1/s^2 and 1/s, and of
    // 1/(s + g)^2 and 1/(s + g).
    std::array<double, 4> const n{2 * c * c, c * (g + 4 * b), b * (g + 2 * b) + c, b};
    double const linear = n[1] / (g * g) - 2 * n[0] / (g * g * g);
    double const constant = n[2] / (g * g) - 2 * n[1] / (g * g * g) + 3 * n[0] / (g * g * g * g);
    double const at_pole = n[0] - g * (n[1] - g * (n[2] - g * n[3]));
    double const fading_linear = -at_pole / (g * g * g);

    double const mean = rate * cpu + shift * -std::expm1(-g * cpu);
    double const variance =
        (linear - 2 * rate * shift) * cpu + constant - shift * shift +
        fading * ((fading_linear + 2 * rate * shift) * cpu - constant + 2 * shift * shift) -
        shift * shift * fading * fading;
    return {mean, std::max(0.0, variance)};
}

// In units of the mean.
double third_central_moment(double cv, ProcessingLaw law, Hyperexponential const& stages) {
    if (law == ProcessingLaw::gamma)
        return 2 * cv * cv * cv * cv;
    double const m = mean(stages);
    double const a = stages.mean_of_first / m;
    double const b = stages.mean_of_second / m;
    double const third = 6 * (stages.first * a * a * a + (1 - stages.first) * b * b * b);
    return third - 3 * (1 + cv * cv) + 2;
}

}  // namespace

double mean(Hyperexponential const& law) {
    return law.first * law.mean_of_first + (1 - law.first) * law.mean_of_second;
}

double cv(Hyperexponential const& law) {
    double const second = 2 * (law.first * law.mean_of_first * law.mean_of_first +
                               (1 - law.first) * law.mean_of_second * law.mean_of_second);
    double const m = mean(law);
    return std::sqrt(second / (m * m) - 1);
}

Result<Hyperexponential> hyperexponential(RandomInterval const& interval) {
    Hyperexponential law;
    double const ratio = (1 - law.first) / law.first;
    double const excess = interval.cv * interval.cv - 1;
    double const to_first = std::sqrt(ratio * excess / 2);
    if (!(excess >= 0) || to_first >= 1) {
        return fail(ErrorCode::out_of_range,
                    "a hyperexponential interval has a coefficient of variation from 1 to below 4.36");
    }
    law.mean_of_first = interval.mean * (1 - to_first);
    law.mean_of_second = interval.mean * (1 + std::sqrt(excess / (2 * ratio)));
    return law;
}

Result<DelayCount> exact_delays(double cpu, RandomInterval const& processing, ProcessingLaw law) {
    if (auto sound = check(cpu, processing); !sound)
        return pass_on(sound);
    if (law == ProcessingLaw::gamma) {
        double const intervals = cpu / processing.mean;
        if (terms_of_gamma(intervals, processing.cv) > most_terms) {
            return fail(
                ErrorCode::out_of_range,
                "too many or too variable processing intervals for the exact sum: the asymptotic formula is "
                "for them");
        }
        return processing.cv < constant_cv ? constant_delays(intervals)
                                           : gamma_delays(intervals, processing.cv);
    }
    auto stages = hyperexponential(processing);
    if (!stages)
        return pass_on(stages);
    return hyperexponential_delays(cpu, *stages);
}

Result<DelayCount> asymptotic_delays(double cpu, RandomInterval const& processing) {
    if (auto sound = check(cpu, processing); !sound)
        return pass_on(sound);
    double const intervals = cpu / processing.mean;
    return DelayCount{intervals, intervals * processing.cv * processing.cv};
}

Result<DelayCount> refined_delays(double cpu, RandomInterval const& processing, ProcessingLaw law) {
    auto count = asymptotic_delays(cpu, processing);
    if (!count)
        return count;
    Hyperexponential stages;
    if (law == ProcessingLaw::hyperexponential) {
        auto found = hyperexponential(processing);
        if (!found)
            return pass_on(found);
        stages = *found;
    }
    double const square = processing.cv * processing.cv;
    count->mean += (square - 1) / 2;
    count->variance +=
        1.0 / 12 + 5.0 / 4 * square * square - 2.0 / 3 * third_central_moment(processing.cv, law, stages);
    count->mean = std::max(0.0, count->mean);
    count->variance = std::max(0.0, count->variance);
    return count;
}

double ElapsedTime::cv() const {
    return mean > 0 ? std::sqrt(variance) / mean : 0;
}

Result<ElapsedTime> elapsed_time(DelayedProcess const& process, DelayCount const& delays) {
    if (auto sound = check(process.cpu, process.processing); !sound)
        return pass_on(sound);
    bool const sound = std::isfinite(process.delay.mean) && process.delay.mean >= 0 &&
                       std::isfinite(process.delay.cv) && process.delay.cv >= 0;
    if (!sound) {
        return fail(ErrorCode::out_of_range,
                    "the mean or the variation of the delays is not a number of 0 or more");
    }
    double const square = process.delay.mean * process.delay.mean;
    ElapsedTime const time{process.cpu + delays.mean * process.delay.mean,
                           square * (delays.mean * process.delay.cv * process.delay.cv + delays.variance)};
    if (!std::isfinite(time.mean) || !std::isfinite(time.variance)) {
        return fail(ErrorCode::out_of_range,
                    "the delays are so long or so variable that no number holds their spread");
    }
    return time;
}

Band normal_band(ElapsedTime const& time, double probability, double least) {
    double const reach = std::sqrt(2 * time.variance) * boost::math::erf_inv(probability);
    return {std::max(least, time.mean - reach), time.mean + reach};
}

}  // namespace parcast::model
