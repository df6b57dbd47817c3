#include "model/events_threads/speed_up_theorem.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <boost/math/tools/toms748_solve.hpp>

namespace parcast::model {

namespace {

constexpr double flat_factor = 1.05;
constexpr int steps_per_octave = 32;
constexpr int octaves = 50;

// Four digits are enough to find the place.
std::string text_of(double number) {
    std::array<char, 32> digits;
    auto const written =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 4);
    return {digits.data(), written.ptr};
}

// P = 1 and on, as far as g is finite.
std::vector<double> looked_at(Characteristic const& g) {
    std::vector<double> places;
    for (int step = 0; step <= octaves * steps_per_octave; ++step) {
        double const threads = std::exp2(static_cast<double>(step) / steps_per_octave);
        auto const jet = g.at(threads);
        if (!std::isfinite(jet.value) || !std::isfinite(jet.slope) || !std::isfinite(jet.curvature))
            break;
        places.push_back(threads);
    }
    return places;
}

Result<std::vector<double>> places_of(Characteristic const& g) {
    auto places = looked_at(g);
    if (places.empty())
        return fail(ErrorCode::out_of_range, "g(P) = " + g.text() + " has no finite value at P = 1");
    for (double const threads : places)
        if (g(threads) < 0)
            return fail(ErrorCode::out_of_range, "g(P) = " + g.text() +
                                                     " is negative at P = " + text_of(threads) +
                                                     ": there are no fewer than no events");
    return places;
}

// How much S cares for a thread more: with h = g, or g / P for scaled execution, S = P / (1 + h / alpha)
// rises where P h' - h < alpha.
struct Gain {
    Characteristic const& g;
    double alpha;
    Execution execution;

    Jet h(double threads) const {
        auto const jet = g.at(threads);
        if (execution == Execution::fixed_size)
            return jet;
        double const value = jet.value / threads;
        double const slope = (jet.slope - value) / threads;
        return {value, slope, (jet.curvature - 2 * slope) / threads};
    }
    double speed_up(double threads) const { return threads / (1 + h(threads).value / alpha); }
    double b(double threads) const { return 1 / speed_up(threads); }

    // Above 0: S falls. What rounding alone may make of the difference is 0.
    double fall(double threads) const {
        auto const jet = h(threads);
        double const rising = threads * jet.slope;
        double const fall = rising - jet.value - alpha;
        constexpr double rounding = 1e-12;
        return std::abs(fall) <= rounding * (std::abs(rising) + std::abs(jet.value)) ? 0 : fall;
    }
    // Of the sign of S''.
    double bend(double threads) const {
        auto const [value, slope, curvature] = h(threads);
        return 2 * slope * (threads * slope - alpha - value) - threads * curvature * (alpha + value);
    }
};

// Where a function that is below 0 at `from` and not below at `to` is 0, to all digits.
double root_between(auto const& function, double from, double to) {
    double const at_to = function(to);
    if (at_to == 0)
        return to;
    std::uintmax_t iterations = 200;
    auto const [low, high] = boost::math::tools::toms748_solve(
        function, from, to, function(from), at_to, boost::math::tools::eps_tolerance<double>(52), iterations);
    return (low + high) / 2;
}

// The first place, from the one with this number on, where the function is above 0.
std::optional<std::size_t> first_above(auto const& function, std::vector<double> const& places,
                                       std::size_t first = 0) {
    for (std::size_t i = first; i < places.size(); ++i)
        if (function(places[i]) > 0)
            return i;
    return std::nullopt;
}

std::optional<double> inflection_after(Gain const& gain, double maximum, std::vector<double> const& places) {
    auto const bend = [&](double threads) { return gain.bend(threads); };
    if (bend(maximum) > 0)
        return maximum;
    auto const after = std::ranges::upper_bound(places, maximum) - places.begin();
    auto const convex = first_above(bend, places, static_cast<std::size_t>(after));
    if (!convex)
        return std::nullopt;
    double const before = *convex == static_cast<std::size_t>(after) ? maximum : places[*convex - 1];
    return root_between(bend, before, places[*convex]);
}

// b is above its least at P = 1 and on, at most flat_factor times it between.
ThreadRange flat_range(Gain const& gain, double least, double lowest_at, std::optional<double> rises_from,
                       std::vector<double> const& places) {
    auto const above = [&](double threads) { return gain.b(threads) - flat_factor * least; };
    auto const below = [&](double threads) { return -above(threads); };
    ThreadRange range;
    if (above(1) > 0)
        range.from = root_between(below, 1, lowest_at);
    if (rises_from) {
        auto const after =
            static_cast<std::size_t>(std::ranges::upper_bound(places, *rises_from) - places.begin());
        if (auto const end = first_above(above, places, after))
            range.to = root_between(above, *end == after ? *rises_from : places[*end - 1], places[*end]);
    }
    return range;
}

SpeedUpMaximum maximum_at(Gain const& gain, double threads, std::vector<double> const& places) {
    double const below = std::max(1.0, std::floor(threads));
    double const above = std::ceil(threads);
    double const whole = gain.speed_up(above) > gain.speed_up(below) ? above : below;
    return {threads, gain.speed_up(threads), static_cast<std::uint64_t>(whole), gain.speed_up(whole),
            inflection_after(gain, threads, places)};
}

// S where it never falls: alpha by the slope of h for many threads, if h is linear there.
std::optional<double> limit_of(Gain const& gain, std::vector<double> const& places) {
    double const far = places.back();
    auto const h = gain.h(far);
    if (h.value <= 0)
        return std::nullopt;
    double const exponent = far * h.slope / h.value;
    constexpr double linear = 1e-6;
    return std::abs(exponent - 1) < linear ? std::optional(gain.alpha / h.slope) : std::nullopt;
}

}  // namespace

Result<void> check_theorem(Characteristic const& g) {
    auto const places = places_of(g);
    if (!places)
        return pass_on(places);
    constexpr double rounding = 1e-9;
    auto const name = "g(P) = " + g.text();
    double steepness_before = 0;
    for (std::size_t i = 0; i < places->size(); ++i) {
        double const threads = (*places)[i];
        auto const jet = g.at(threads);
        double const scale = rounding * (std::abs(jet.slope) + std::abs(jet.value) / threads);
        double steepness = jet.slope;  // of the chord to the next place: sees steps, which have no slope
        if (i + 1 < places->size())
            steepness = (g((*places)[i + 1]) - jet.value) / ((*places)[i + 1] - threads);
        if (jet.slope < -scale || steepness < -scale)
            return fail(make_error(ErrorCode::inconsistent,
                                   name + " falls at P = " + text_of(threads) +
                                       ": more threads have no fewer events, and the theorem needs that",
                                   "A formula that rises, such as P^2: parcast help signature"));
        if (threads * jet.curvature < -scale || (i > 0 && steepness < steepness_before - scale))
            return fail(make_error(
                ErrorCode::inconsistent,
                name + " is not convex at P = " + text_of(threads) +
                    ": it rises less there than before, and the theorem of the one maximum needs convexity",
                "A convex formula, such as P^1.5 or P*log2(P): parcast help signature"));
        steepness_before = steepness;
    }
    return {};
}

Result<Optimum> optimum(Characteristic const& g, double alpha, Execution execution) {
    if (!(alpha > 0) || !std::isfinite(alpha))
        return fail(ErrorCode::out_of_range, "alpha = W(1) / theta is not a number above 0");
    auto const places = places_of(g);
    if (!places)
        return pass_on(places);
    Gain const gain{g, alpha, execution};
    auto const fall = [&](double threads) { return gain.fall(threads); };
    auto const falls = first_above(fall, *places);
    Optimum answer;
    if (!falls) {
        answer.limit = limit_of(gain, *places);
        if (answer.limit) {
            answer.signature.least = 1 / *answer.limit;
            answer.signature.flat =
                flat_range(gain, answer.signature.least, places->back(), std::nullopt, *places);
        }
        return answer;
    }
    for (std::size_t i = *falls; i < places->size(); ++i)
        if (fall((*places)[i]) < 0)
            return fail(ErrorCode::inconsistent,
                        "with g(P) = " + g.text() +
                            " the speed-up has more than one maximum: it rises again at P = " +
                            text_of((*places)[i]));
    double const threads = *falls == 0 ? 1 : root_between(fall, (*places)[*falls - 1], (*places)[*falls]);
    answer.maximum = maximum_at(gain, threads, *places);
    answer.signature.least = gain.b(threads);
    answer.signature.flat = flat_range(gain, answer.signature.least, threads, threads, *places);
    return answer;
}

Result<Efficiency> efficiency(Characteristic const& g, double alpha, double threads, Execution execution,
                              double a) {
    double const events = g(threads);
    if (!std::isfinite(events) || events < 0)
        return fail(ErrorCode::out_of_range, "g(P) = " + g.text() +
                                                 (events < 0 ? " is negative" : " has no finite value") +
                                                 " at P = " + text_of(threads));
    double const work_of_one = execution == Execution::scaled ? threads : 1;
    double const work = 1 + events / (alpha * work_of_one);
    double const b = work / threads;
    return Efficiency{threads, a, work, b, a / b, a / b / threads};
}

Outlook outlook(Characteristic const& g, Execution execution) {
    bool const scaled = execution == Execution::scaled;
    switch (growth_of(g)) {
        case Growth::constant:
        case Growth::below_linear:
            return {Prospect::unlimited, scaled ? "sa" : "", "the speed-up rises with every thread"};
        case Growth::linear:
            if (scaled)
                return {Prospect::unlimited, "sa", "the speed-up rises with every thread"};
            return {Prospect::limited, "a", "the speed-up rises to a constant"};
        case Growth::above_linear:
            if (scaled)
                return {Prospect::unlimited, "", "the speed-up rises, but each thread adds less"};
            return {Prospect::vanishes, "", "the speed-up has a maximum, and tends to zero for many threads"};
        case Growth::quadratic:
            if (scaled)
                return {Prospect::limited, "sb", "the speed-up rises to a constant"};
            [[fallthrough]];
        case Growth::polynomial:
        case Growth::exponential:
            return {Prospect::vanishes, scaled ? "sc" : "b",
                    "the speed-up has a maximum, and tends to zero for many threads"};
    }
    return {};
}

double divide_and_conquer_speed_up(double threads) {
    return threads / (2 * std::log2(threads));
}

}  // namespace parcast::model
