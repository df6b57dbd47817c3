// A router of wires on a chip: two iterations over all wires with a barrier after each, a wire a task. Most
// wires take under 10 ms, a few over 100 ms (a Pareto distribution, by its quantiles, so that every seed has
// the same work). Each wire lies in the queue of one of 16 regions of the chip; the middle ones have more of
// them. The estimate of a wire is what its bounding box says.

#include <algorithm>
#include <array>
#include <numeric>

#include "generate/structures.h"

namespace parcast::generate {

namespace {

constexpr std::size_t regions = 16;  // 4 x 4
constexpr double least_ns = 4 * millisecond_ns;
constexpr double skew = 0.58;  // the exponent of the quantiles: the longest of 420 has 21 times the mean

struct Wire {
    double time_ns;
    double estimate_ns;
    std::size_t region;
};

// In the middle of the chip three times as likely as in a corner.
std::size_t some_region(Random& random) {
    auto const coordinate = [&] { return std::min<std::size_t>(3, random.below(3) + random.below(2)); };
    auto const row = coordinate();
    return 4 * row + coordinate();
}

std::vector<Wire> some_wires(std::uint32_t count, Random& random) {
    std::vector<Wire> wires;
    for (std::uint32_t index = 0; index < count; ++index) {
        double const quantile = (index + 0.5) / count;
        double const time = std::round(least_ns * std::pow(quantile, -skew));
        wires.push_back({time, std::round(time * random.between(0.6, 1.6)), some_region(random)});
    }
    for (std::size_t index = wires.size(); index > 1; --index)
        std::swap(wires[index - 1], wires[random.below(index)]);
    std::ranges::stable_sort(wires, {}, &Wire::region);
    return wires;
}

// The second time most wires take as long as the first, some are routed anew.
std::vector<TaskGroupId> add_iteration(TaskGraphBuilder& builder, std::string const& name,
                                       std::vector<Wire> const& wires, TaskGroupId after, Random& random) {
    std::vector<TaskGroupId> groups;
    for (auto first = wires.begin(); first != wires.end();) {
        auto const region = first->region;
        auto const end =
            std::find_if(first, wires.end(), [&](Wire const& wire) { return wire.region != region; });
        std::vector<double> times;
        std::vector<double> estimates;
        for (; first != end; ++first) {
            times.push_back(std::round(first->time_ns * random.between(0.9, 1.1)));
            estimates.push_back(first->estimate_ns);
        }
        groups.push_back(add(builder, name + ", region " + std::to_string(region), times, std::array{after}));
        builder.estimate(groups.back(), estimates);
        builder.enqueue(groups.back(), static_cast<std::uint16_t>(region));
        use_bus(builder, groups.back(), 137.9);
    }
    return groups;
}

}  // namespace

TaskGraph locusroute(std::uint32_t count, Random random) {
    auto const wires = some_wires(count, random);
    TaskGraphBuilder builder;
    auto const start = add(builder, "start", {millisecond_ns});
    auto const first = add_iteration(builder, "first", wires, start, random);
    auto const barrier = add(builder, "barrier", {0.1 * millisecond_ns}, first);
    auto const second = add_iteration(builder, "second", wires, barrier, random);
    add(builder, "end", {0.1 * millisecond_ns}, second);
    auto graph = std::move(builder).finish();
    graph.name = "locusroute, " + std::to_string(count) + " wires";
    graph.assumptions = {
        "The structure is that of Locus Route in Adve (1993): two dynamic phases of skewed tasks, with his "
        "average "
        "parallelism of about 21 for 420 wires. The times of single wires, their regions and estimates are "
        "made up; bus.rate is what he measured."};
    return graph;
}

}  // namespace parcast::generate
