#include "model/comparators/maximum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace parcast::model {

namespace {

// Times of one kind, and how many there are.
struct Kind {
    Time time;
    double count = 1;
};

std::vector<Kind> kinds_of(std::vector<Time> const& times) {
    std::map<std::pair<double, double>, double> counts;
    for (Time const& time : times)
        ++counts[{time.mean, time.variance}];
    std::vector<Kind> kinds;
    for (auto const& [moments, count] : counts)
        kinds.push_back({{moments.first, moments.second}, count});
    return kinds;
}

bool is_exponential(Time const& time) {
    return time.variance == time.mean * time.mean;
}

// The logarithm of the probability that the time is at most x.
double log_below(Time const& time, double x) {
    if (time.variance == 0)
        return x >= time.mean ? 0 : -INFINITY;
    if (is_exponential(time))
        return std::log(-std::expm1(-x / time.mean));
    double const scale = time.variance / time.mean;
    return std::log(boost::math::gamma_p(time.mean / scale, x / scale));
}

// The probability that one of them exceeds x.
double exceeded(std::vector<Kind> const& kinds, double x) {
    double log_all = 0;
    for (Kind const& kind : kinds)
        log_all += kind.count * log_below(kind.time, x);
    return -std::expm1(log_all);
}

// Beyond it the maximum has no weight that a double shows.
double end_of_tail(std::vector<Kind> const& kinds) {
    double end = 0;
    for (Kind const& kind : kinds) {
        double const longest_scale =
            std::max(kind.time.variance / kind.time.mean, std::sqrt(kind.time.variance));
        end = std::max(end, kind.time.mean + longest_scale * (45 + 2 * std::log(kind.count)));
    }
    return end;
}

double integral(auto const& function, double from, double to) {
    constexpr unsigned deepest = 15;
    constexpr double tolerance = 1e-13;
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(function, from, to, deepest,
                                                                         tolerance);
}

// Among constant times only the longest counts.
void drop_shorter_constants(std::vector<Kind>& kinds) {
    double longest = 0;
    for (Kind const& kind : kinds)
        if (kind.time.variance == 0)
            longest = std::max(longest, kind.time.mean);
    std::erase_if(kinds, [&](Kind const& kind) {
        return kind.time.mean == 0 || (kind.time.variance == 0 && kind.time.mean < longest);
    });
}

// A constant time jumps: integrated piece by piece beside it.
std::vector<double> pieces_of(std::vector<Kind> const& kinds) {
    std::vector<double> pieces{0};
    double mean_of_longest = 0;
    for (Kind const& kind : kinds) {
        mean_of_longest = std::max(mean_of_longest, kind.time.mean);
        if (kind.time.variance == 0)
            pieces.push_back(kind.time.mean);
    }
    pieces.push_back(mean_of_longest);
    pieces.push_back(end_of_tail(kinds));
    std::ranges::sort(pieces);
    return pieces;
}

double integral_of(std::vector<Kind> const& kinds, auto const& function) {
    auto const pieces = pieces_of(kinds);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
        if (pieces[i + 1] > pieces[i])
            sum += integral(function, pieces[i], pieces[i + 1]);
    return sum;
}

std::vector<Kind> kinds_that_count(std::vector<Time> const& times) {
    auto kinds = kinds_of(times);
    drop_shorter_constants(kinds);
    return kinds;
}

// The maximum, where there is nothing to compare.
std::optional<Time> if_single(std::vector<Kind> const& kinds) {
    if (kinds.empty())
        return Time{};
    bool const single = kinds.size() == 1 && (kinds.front().count == 1 || kinds.front().time.variance == 0);
    return single ? std::optional(kinds.front().time) : std::nullopt;
}

}  // namespace

double mean_of_maximum(std::vector<Time> const& times) {
    auto const kinds = kinds_that_count(times);
    if (auto const single = if_single(kinds))
        return single->mean;
    return integral_of(kinds, [&](double x) { return exceeded(kinds, x); });
}

Time maximum(std::vector<Time> const& times) {
    auto const kinds = kinds_that_count(times);
    if (auto const single = if_single(kinds))
        return *single;
    double const mean = integral_of(kinds, [&](double x) { return exceeded(kinds, x); });
    double const square = integral_of(kinds, [&](double x) { return 2 * x * exceeded(kinds, x); });
    return {mean, std::max(0.0, square - mean * mean)};
}

}  // namespace parcast::model
