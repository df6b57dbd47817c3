#include "machine/block_costs.h"

#include <algorithm>
#include <cmath>

namespace parcast {

namespace {

bool are_times(BlockTimes const& times, std::size_t count) {
    return std::ranges::all_of(times, [&](auto const& column) {
        return column.size() == count &&
               std::ranges::all_of(column, [](double ns) { return std::isfinite(ns) && ns > 0; });
    });
}

}  // namespace

BlockCosts usual_block_costs() {
    BlockCosts costs;
    costs.edge = {1};
    for (auto& ns : costs.ns)
        ns = {1};
    return costs;
}

double BlockCosts::of(std::size_t operation, double wanted, bool is_cold) const {
    auto const& times = (is_cold ? cold_ns : ns)[operation];
    if (edge.size() == 1)
        return times.front() * std::pow(wanted / edge.front(), 3);
    auto const next = std::ranges::upper_bound(edge, wanted) - edge.begin();
    auto const high = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 1, std::ssize(edge) - 1));
    if (edge[high - 1] == wanted)
        return times[high - 1];
    auto const slope = std::log(times[high] / times[high - 1]) / std::log(edge[high] / edge[high - 1]);
    return times[high - 1] * std::pow(wanted / edge[high - 1], slope);
}

Result<void> check(BlockCosts const& costs) {
    if (costs.edge.empty())
        return fail(ErrorCode::inconsistent, "there is no edge of a block");
    if (std::ranges::adjacent_find(costs.edge, std::greater_equal()) != costs.edge.end() ||
        !(costs.edge.front() > 0) || !std::isfinite(costs.edge.back()))
        return fail(ErrorCode::inconsistent, "the edges do not rise from above 0");
    if (!are_times(costs.ns, costs.edge.size()))
        return fail(ErrorCode::inconsistent, "each operation has one time for each edge, more than 0");
    if (!are_times(costs.cold_ns, costs.edge.size()) &&
        !std::ranges::all_of(costs.cold_ns, [](auto const& column) { return column.empty(); }))
        return fail(ErrorCode::inconsistent,
                    "each operation has one cold time for each edge, more than 0, or none has any");
    for (auto const& rate : {costs.copy_ns_per_byte, costs.visit_ns})
        if (rate && !(*rate >= 0 && std::isfinite(*rate)))
            return fail(ErrorCode::out_of_range, "to copy a byte or pass over a block takes 0 ns or more");
    return {};
}

}  // namespace parcast
