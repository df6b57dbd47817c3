#include "model/events_threads/work_growth.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/sample.h"
#include "model/events_threads/relative_line.h"

namespace parcast::model {

namespace {

constexpr double hardly_grows = 0.5;         // k
constexpr double grows_with_threads = 0.8;   // k
constexpr double least_of_proportion = 0.9;  // k about 1
constexpr double most_of_proportion = 1.15;
constexpr double close_to_law = 0.05;   // root mean square of the relative residuals
constexpr double chance = 0.02;         // likewise
constexpr double better_law = 4;        // in n ln(squares)
constexpr double little_of_one = 0.25;  // of the least work: the part of W(1)

struct Power {
    double exponent = 0;
    double squares = 0;  // of the residuals of ln W, which are relative ones
};

std::optional<Power> power_through(std::span<WorkAndEvents const> series) {
    Sample threads;
    Sample work;
    for (auto const& run : series) {
        if (!(run.work_ns > 0))
            return std::nullopt;
        threads.add(std::log(run.threads));
        work.add(std::log(run.work_ns));
    }
    double squares = 0;
    double products = 0;
    for (auto const& run : series) {
        double const apart = std::log(run.threads) - threads.mean();
        squares += apart * apart;
        products += apart * (std::log(run.work_ns) - work.mean());
    }
    if (!(squares > 0))
        return std::nullopt;
    Power power{products / squares, 0};
    for (auto const& run : series)
        power.squares += std::pow(
            std::log(run.work_ns) - work.mean() - power.exponent * (std::log(run.threads) - threads.mean()),
            2);
    return power;
}

// The line of the events where it means anything: neither W(1) nor theta is below 0.
std::optional<RelativeLine> line_of_events(std::span<WorkAndEvents const> series) {
    auto const line = relative_line(series);
    return line && line->at_zero_ns > 0 && line->slope_ns > 0 ? line : std::nullopt;
}

GrowthOfWork cause_of(std::span<WorkAndEvents const> series, Power const& power) {
    if (power.exponent < hardly_grows)
        return GrowthOfWork::none;
    auto const runs = static_cast<double>(series.size());
    bool const is_in_proportion = power.exponent >= least_of_proportion &&
                                  power.exponent <= most_of_proportion &&
                                  power.squares <= runs * close_to_law * close_to_law;
    bool const grows = power.exponent >= grows_with_threads;
    auto const line = line_of_events(series);
    if (!line)
        return grows ? GrowthOfWork::threads : GrowthOfWork::unclear;
    auto const least_work = std::ranges::min_element(series, {}, &WorkAndEvents::work_ns)->work_ns;
    if ((is_in_proportion || grows) && line->at_zero_ns < little_of_one * least_work)
        return GrowthOfWork::threads;
    auto const by_chance = runs * chance * chance;
    auto const advantage_of_events =
        runs * std::log(std::max(power.squares, by_chance) / std::max(line->squares, by_chance));
    if (advantage_of_events >= better_law)
        return GrowthOfWork::events;
    bool const is_scaled = is_in_proportion || (grows && advantage_of_events <= -better_law);
    return is_scaled ? GrowthOfWork::threads : GrowthOfWork::unclear;
}

}  // namespace

WorkGrowth work_growth(std::span<WorkAndEvents const> series) {
    auto const power = power_through(series);
    if (!power)
        return {};
    return {cause_of(series, *power), power->exponent};
}

}  // namespace parcast::model
