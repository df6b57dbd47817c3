#include "analysis/bounds.h"

#include <algorithm>

#include "core/ensure.h"

namespace parcast::analysis {

namespace {

struct Speeds {
    double slowest = 1;   // of one processor
    double together = 1;  // the most that the processors do, in processors alone
};

Speeds speeds_up_to(std::uint32_t cpus, std::span<double const> speeds) {
    Speeds found;
    for (std::size_t busy = 1; busy <= std::min<std::size_t>(cpus, speeds.size()); ++busy) {
        found.slowest = std::min(found.slowest, speeds[busy - 1]);
        found.together = std::max(found.together, static_cast<double>(busy) * speeds[busy - 1]);
    }
    found.together = std::max(
        found.together, cpus * (speeds.empty() ? 1 : speeds[std::min<std::size_t>(cpus, speeds.size()) - 1]));
    return found;
}

}  // namespace

SpeedUpBounds speed_up_bounds(Duration time_on_one, Duration work, Span span, std::uint32_t cpus,
                              std::span<double const> speeds) {
    ensure(cpus >= 1, "speed-up bounds are for one processor or more");
    double const one = to_real(time_on_one).ns;
    double const length = to_real(span.length).ns;
    Speeds const speed = speeds_up_to(cpus, speeds);
    double const best = std::max(to_real(work).ns / speed.together, length);
    if (cpus == 1 || one <= 0 || best <= 0)
        return {};
    double const chain = to_real(span.busy).ns;
    double const worst = (to_real(work - span.busy).ns / cpus + chain) / speed.slowest + (length - chain);
    double const lower = std::min(speed.together, std::max(speed.slowest, one / std::max(worst, best)));
    return {lower, std::clamp(one / best, lower, speed.together)};
}

}  // namespace parcast::analysis
