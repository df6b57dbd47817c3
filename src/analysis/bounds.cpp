#include "analysis/bounds.h"

#include <algorithm>

#include "core/ensure.h"

namespace parcast::analysis {

SpeedUpBounds speed_up_bounds(Duration time_on_one, Duration work, Span span, std::uint32_t cpus) {
    ensure(cpus >= 1, "speed-up bounds are for one processor or more");
    double const one = to_real(time_on_one).ns;
    double const length = to_real(span.length).ns;
    double const shared = to_real(work).ns / cpus;
    double const best = std::max(shared, length);
    if (cpus == 1 || one <= 0 || best <= 0) {
        return {};
    }
    double const worst = to_real(work - span.busy).ns / cpus + length;
    double const lower = std::max(1.0, one / std::max(worst, best));
    return {lower, std::max(lower, one / best)};
}

}  // namespace parcast::analysis
