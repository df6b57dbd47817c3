#include "answer/limit.h"

#include <algorithm>
#include <array>

namespace parcast {

std::vector<Loss> losses(std::span<Limit const> limits) {
    std::array<Loss, causes.size()> totals{};
    for (Limit const& limit : limits) {
        auto& total = totals[static_cast<std::size_t>(limit.cause)];
        total.cause = limit.cause;
        total.processor_time += limit.processor_time;
        total.share += limit.share;
        bool const is_larger = !total.main_object || limit.processor_time > total.main_object->processor_time;
        if (!limit.object.is_none() && is_larger)
            total.main_object = limit;
    }
    std::vector<Loss> lost;
    for (auto& total : totals) {
        if (total.cause == Cause::busy || total.processor_time <= Duration{0})
            continue;
        if (total.main_object && total.main_object->processor_time * 2 < total.processor_time)
            total.main_object.reset();
        lost.push_back(total);
    }
    std::ranges::stable_sort(lost, std::ranges::greater{}, &Loss::processor_time);
    return lost;
}

std::optional<Loss> largest_loss(std::span<Limit const> limits, double least_share) {
    auto const lost = losses(limits);
    if (lost.empty() || lost.front().share <= least_share)
        return std::nullopt;
    return lost.front();
}

}  // namespace parcast
