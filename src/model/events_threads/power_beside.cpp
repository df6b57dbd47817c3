#include "model/events_threads/power_beside.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "model/events_threads/over_threads.h"

namespace parcast::model {

PowerBeside::PowerBeside(Counts counts, Columns lower, double least)
    : counts_(counts),
      lower_(std::move(lower)),
      least_(least),
      logarithms_(column_of(counts, [](double threads) { return std::log(threads); })) {}

std::optional<PowerBeside::Found> PowerBeside::find() const {
    constexpr int steps = 12;
    double const step = (most_exponent - least_) / steps;
    double best = least_;
    double least = INFINITY;
    for (int i = 0; i <= steps; ++i) {
        double const tried = least_ + step * i;
        auto const sum = sum_of_least_errors(counts_, terms_of(tried));
        if (sum && sum->squares < least) {
            best = tried;
            least = sum->squares;
        }
    }
    constexpr int bits = 14;
    best = boost::math::tools::brent_find_minima([&](double n) { return squares(n); },
                                                 std::max(least_, best - step),
                                                 std::min(most_exponent, best + step), bits)
               .first;
    best = nearest_simple(best);
    auto sum = fit_sum(counts_, terms_of(best));
    constexpr double edge = 1e-3;
    // A power that is taken away is no growth.
    if (!sum || best < least_ + edge || best > most_exponent - edge || sum->coefficients.back() <= 0)
        return std::nullopt;
    return Found{best, std::move(*sum)};
}

std::optional<ConfidenceInterval> PowerBeside::interval(Found const& found) const {
    std::size_t const numbers = lower_.size() + 2;
    if (counts_.size() <= numbers)
        return std::nullopt;
    std::size_t const freedom = counts_.size() - numbers;
    double const t = student_95(static_cast<double>(freedom));
    double const allowed = found.sum.squares + t * t * variance_of(found.sum.squares, freedom);
    return ConfidenceInterval{end(found.exponent, least_, allowed),
                              end(found.exponent, most_exponent, allowed)};
}

Columns PowerBeside::terms_of(double exponent) const {
    Columns terms = lower_;
    auto& powers = terms.emplace_back();
    powers.reserve(logarithms_.size());
    for (double const logarithm : logarithms_)
        powers.push_back(std::exp(exponent * logarithm));
    return terms;
}

double PowerBeside::squares(double exponent) const {
    auto const sum = fit_sum(counts_, terms_of(exponent));
    return sum ? sum->squares : INFINITY;
}

// The search stops near a minimum that is flat there.
double PowerBeside::nearest_simple(double found) const {
    constexpr double thousand = 1000;
    double const simple = std::round(found * thousand) / thousand;
    constexpr double search_error = 5e-4;
    return std::abs(simple - found) < search_error && squares(simple) <= squares(found) + 1e-12
               ? simple
               : ten_digits(found);
}

// Between the best exponent and the last one that is tried, where the squares reach what is allowed.
double PowerBeside::end(double best, double last, double allowed) const {
    auto const above = [&](double n) { return std::min(squares(n), 1e6 * (1 + allowed)) - allowed; };
    double inner = best;
    double step = (last - best) / 512;
    double outer = best + step;
    while (above(outer) <= 0) {
        if (outer == last)
            return last;
        inner = outer;
        step *= 4;
        outer = std::abs(last - outer) > std::abs(step) ? outer + step : last;
    }
    std::uintmax_t iterations = 30;
    constexpr int bits = 12;
    auto const [low, high] =
        boost::math::tools::toms748_solve(above, std::min(inner, outer), std::max(inner, outer),
                                          boost::math::tools::eps_tolerance<double>(bits), iterations);
    return last < best ? low : high;
}

}  // namespace parcast::model
