#include "answer/limit.h"

#include <algorithm>
#include <array>

namespace parcast {

std::vector<Limit> losses(std::span<Limit const> limits) {
    std::array<Limit, causes.size()> totals{};
    std::array<Limit, causes.size()> largest_part{};
    for (Limit const& limit : limits) {
        auto const cause = static_cast<std::size_t>(limit.cause);
        totals[cause].cause = limit.cause;
        totals[cause].processor_time += limit.processor_time;
        totals[cause].share += limit.share;
        if (!limit.object.is_none() && limit.processor_time > largest_part[cause].processor_time)
            largest_part[cause] = limit;
    }
    std::vector<Limit> lost;
    for (auto& total : totals) {
        if (total.cause == Cause::busy || total.processor_time <= Duration{0})
            continue;
        auto const& part = largest_part[static_cast<std::size_t>(total.cause)];
        if (part.processor_time * 2 >= total.processor_time)
            total.object = part.object;
        lost.push_back(total);
    }
    std::ranges::stable_sort(lost, std::ranges::greater{}, &Limit::processor_time);
    return lost;
}

std::optional<Limit> largest_loss(std::span<Limit const> limits, double least_share) {
    auto const lost = losses(limits);
    if (lost.empty() || lost.front().share <= least_share)
        return std::nullopt;
    return lost.front();
}

}  // namespace parcast
