#include "model/events_threads/load_imbalance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace parcast::model {

namespace {

// So many threads of one law with this mean: P(w <= x) and P(w > x), each with all its digits.
struct Kind {
    double mean = 0;
    double deviation = 0;
    std::uint64_t count = 1;
};

struct Probabilities {
    double below = 0;
    double above = 1;
};

Probabilities probabilities(work_law::Exponential, Kind const& kind, double x) {
    if (x <= 0)
        return {0, 1};
    return {-std::expm1(-x / kind.mean), std::exp(-x / kind.mean)};
}
Probabilities probabilities(work_law::Normal, Kind const& kind, double x) {
    double const z = (x - kind.mean) / kind.deviation / std::numbers::sqrt2;
    return {std::erfc(-z) / 2, std::erfc(z) / 2};
}
Probabilities probabilities(work_law::Erlang law, Kind const& kind, double x) {
    if (x <= 0)
        return {0, 1};
    double const scaled = x * law.stages / kind.mean;
    return {boost::math::gamma_p(law.stages, scaled), boost::math::gamma_q(law.stages, scaled)};
}

// ln P(max <= x), of kinds by rising mean. What is nothing beside 1 is not added to the end: of thousands of
// threads most values of x are below what a few of the longest leave.
double log_below(auto const& law, std::vector<Kind> const& kinds, double x) {
    constexpr double nothing = -60;
    double sum = 0;
    for (auto kind = kinds.rbegin(); kind != kinds.rend() && sum > nothing; ++kind) {
        auto const [below, above] = probabilities(law, *kind, x);
        sum += static_cast<double>(kind->count) * (above < 0.5 ? std::log1p(-above) : std::log(below));
    }
    return sum;
}

double integral(auto const& function, double from, double to) {
    constexpr unsigned deepest = 10;
    constexpr double tolerance = 1e-12;
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(function, from, to, deepest,
                                                                         tolerance);
}

// E[max] = integral of P(max > x) from 0 - integral of P(max <= x) to 0, over pieces between which the
// distribution functions bend.
double integrated_maximum(auto const& law, std::vector<Kind> const& kinds, std::vector<double> ends) {
    ends.push_back(0);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    double sum = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        double const from = ends[i];
        double const to = ends[i + 1];
        sum += from < 0 ? -integral([&](double x) { return std::exp(log_below(law, kinds, x)); }, from, to)
                        : integral([&](double x) { return -std::expm1(log_below(law, kinds, x)); }, from, to);
    }
    return sum;
}

// Between two ends of uniform laws the distribution function of the maximum is a power of x: those that end
// below x no longer count. So E[max] is the last end less a sum of integrals of powers.
double mean_of_maximum(work_law::Uniform, std::vector<Kind> const& kinds) {
    double threads = 0;  // that end at the upper end of the piece or later
    double log_ends = 0;
    double mean = 2 * kinds.back().mean;
    for (std::size_t i = kinds.size(); i-- > 0;) {
        auto const count = static_cast<double>(kinds[i].count);
        threads += count;
        log_ends += count * std::log(2 * kinds[i].mean);
        // x^(n + 1) / (n + 1) / product of the ends
        auto const integral_to = [&](double x) {
            return x > 0 ? x / (threads + 1) * std::exp(threads * std::log(x) - log_ends) : 0;
        };
        mean -= integral_to(2 * kinds[i].mean) - integral_to(i > 0 ? 2 * kinds[i - 1].mean : 0);
    }
    return mean;
}

constexpr double tail = 45;        // e^-45 is nothing beside 1
constexpr double normal_tail = 9;  // deviations

// How far out the laws go that no thread is left beyond, and where they bend.
std::vector<double> ends_of(work_law::Normal, std::vector<Kind> const& kinds) {
    double low = -INFINITY;  // the highest of the lowest: below it nobody is the greatest
    double middle = -INFINITY;
    double high = -INFINITY;
    for (auto const& kind : kinds) {
        double const most = normal_tail + std::sqrt(2 * std::log(static_cast<double>(kind.count)));
        low = std::max(low, kind.mean - normal_tail * kind.deviation);
        middle = std::max(middle, kind.mean);
        high = std::max(high, kind.mean + most * kind.deviation);
    }
    return {low, middle, high};
}
double longest_end(std::vector<Kind> const& kinds, double stages) {
    double end = 0;
    for (auto const& kind : kinds)
        end = std::max(end, kind.mean / stages *
                                (stages + tail + std::log(static_cast<double>(kind.count)) +
                                 std::sqrt(2 * tail * stages)));
    return end;
}
std::vector<double> middle_ends(std::vector<Kind> const& kinds, double end) {
    double most = 0;
    for (auto const& kind : kinds)
        most = std::max(most, kind.mean);
    return {most, 2 * most, end};
}
std::vector<double> ends_of(work_law::Exponential, std::vector<Kind> const& kinds) {
    return middle_ends(kinds, longest_end(kinds, 1));
}
std::vector<double> ends_of(work_law::Erlang law, std::vector<Kind> const& kinds) {
    return middle_ends(kinds, longest_end(kinds, law.stages));
}

double mean_of_maximum(auto const& law, std::vector<Kind> const& kinds) {
    return integrated_maximum(law, kinds, ends_of(law, kinds));
}

double deviation_of(WorkLaw const& law, double mean) {
    auto const* const normal = std::get_if<work_law::Normal>(&law);
    return normal ? normal->cv * mean : 0;
}

double imbalance(WorkLaw const& law, std::vector<Kind> const& kinds, double mean) {
    double const greatest = std::visit([&](auto const& known) { return mean_of_maximum(known, kinds); }, law);
    return greatest / mean - 1;
}

bool has_no_deviation(WorkLaw const& law) {
    auto const* const normal = std::get_if<work_law::Normal>(&law);
    return normal && normal->cv == 0;
}

double mean_of(std::span<double const> values) {
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

}  // namespace

double load_imbalance(WorkLaw const& law, std::uint64_t threads) {
    auto const p = static_cast<double>(threads);
    if (std::holds_alternative<work_law::Exponential>(law))
        return boost::math::digamma(p + 1) + std::numbers::egamma - 1;
    if (std::holds_alternative<work_law::Uniform>(law))
        return (p - 1) / (p + 1);
    if (threads == 1 || has_no_deviation(law))
        return 0;
    // The mean normal maximum in deviations, so that a small CV costs no digits.
    if (auto const* const normal = std::get_if<work_law::Normal>(&law)) {
        std::vector<Kind> const standard{{0, 1, threads}};
        return normal->cv * mean_of_maximum(*normal, standard);
    }
    return imbalance(law, {{1, 0, threads}}, 1);
}

double load_imbalance(WorkLaw const& law, std::span<double const> means) {
    double const mean = means.empty() ? 0 : mean_of(means);
    if (mean == 0)
        return 0;
    if (has_no_deviation(law))
        return load_imbalance_of_known(means);
    std::map<double, std::uint64_t> counts;
    for (double const each : means)
        if (each > 0)
            ++counts[each];
    if (counts.size() == 1 && counts.begin()->second == means.size())
        return load_imbalance(law, means.size());
    std::vector<Kind> kinds;
    for (auto const& [each, count] : counts)
        kinds.push_back({each, deviation_of(law, each), count});
    return imbalance(law, kinds, mean);
}

double load_imbalance(std::span<NormalWork const> works) {
    double mean = 0;
    for (auto const& work : works)
        mean += work.mean / static_cast<double>(works.size());
    if (works.empty() || mean == 0)
        return 0;
    // Given the common factor Z = z, the works are independent.
    auto const greatest_at = [&](double z) {
        std::map<std::pair<double, double>, std::uint64_t> counts;
        double known = -INFINITY;  // the greatest of those without a deviation of their own
        for (auto const& work : works) {
            double const at = work.mean + work.common * z;
            if (work.own > 0)
                ++counts[{at, work.own}];
            else
                known = std::max(known, at);
        }
        std::vector<Kind> kinds;
        double base = known;
        for (auto const& [moments, count] : counts) {
            kinds.push_back({moments.first, moments.second, count});
            base = std::max(base, moments.first - normal_tail * moments.second);
        }
        if (kinds.empty())
            return known;
        // Above what the greatest certainly reaches, so that no mean below 0 is in the way.
        for (auto& kind : kinds)
            kind.mean -= base;
        auto ends = ends_of(work_law::Normal{}, kinds);
        std::erase_if(ends, [](double end) { return end < 0; });
        return base + integrated_maximum(work_law::Normal{}, kinds, ends);
    };
    bool const alike =
        std::ranges::all_of(works, [&](auto const& work) { return work.common == works.front().common; });
    if (alike)
        return greatest_at(0) / mean - 1;
    auto const weighted = [&](double z) {
        return greatest_at(z) * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    };
    return (integral(weighted, -normal_tail, 0) + integral(weighted, 0, normal_tail)) / mean - 1;
}

double load_imbalance_of_known(std::span<double const> works) {
    double const mean = works.empty() ? 0 : mean_of(works);
    return mean > 0 ? std::ranges::max(works) / mean - 1 : 0;
}

}  // namespace parcast::model
