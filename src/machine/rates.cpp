#include "machine/rates.h"

#include <algorithm>
#include <cstddef>

namespace parcast {

namespace {

double entry(std::vector<double> const& list, std::uint32_t busy) {
    if (list.empty())
        return 1;
    return list[std::min<std::size_t>(busy, list.size()) - 1];
}

}  // namespace

double speed(Rates const& rates, std::uint32_t busy) {
    auto const compute = entry(rates.compute, busy);
    auto const memory = entry(rates.memory, busy);
    // Without rounding where one kind of work is absent: a list's own value, so that 1 is 1.
    if (rates.memory_share == 0 || compute == memory)
        return compute;
    if (rates.memory_share == 1)
        return memory;
    return 1 / ((1 - rates.memory_share) / compute + rates.memory_share / memory);
}

std::vector<double> speeds(Rates const& rates) {
    auto const listed = static_cast<std::uint32_t>(std::max(rates.compute.size(), rates.memory.size()));
    std::vector<double> all;
    if (is_flat(rates, listed))
        return all;
    for (std::uint32_t busy = 1; busy <= listed; ++busy)
        all.push_back(speed(rates, busy));
    return all;
}

bool is_flat(Rates const& rates, std::uint32_t processors) {
    auto const listed = std::max(rates.compute.size(), rates.memory.size());
    auto const last = static_cast<std::uint32_t>(std::min<std::size_t>(processors, listed));
    for (std::uint32_t busy = 1; busy <= last; ++busy)
        if (speed(rates, busy) != 1)
            return false;
    return true;
}

}  // namespace parcast
