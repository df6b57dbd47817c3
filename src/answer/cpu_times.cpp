#include "answer/cpu_times.h"

#include <algorithm>

namespace parcast {

std::optional<double> cpu_growth(CpuTimes const& times, std::uint32_t cpus) {
    auto const one = std::ranges::find(times.counts, 1U, &CpuTimeAt::cpus);
    auto const many = std::ranges::find(times.counts, cpus, &CpuTimeAt::cpus);
    if (one == times.counts.end() || many == times.counts.end() || one->work_ns() <= 0)
        return std::nullopt;
    return many->work_ns() / one->work_ns();
}

}  // namespace parcast
