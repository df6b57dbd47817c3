#include "forecast/slower_than_recorded.h"

#include <algorithm>
#include <cstdint>

#include "core/time_text.h"

namespace parcast::forecast {

namespace {

constexpr double notably_longer = 0.05;                  // of the recorded time
constexpr std::int64_t least_difference_ns = 5'000'000;  // where less may be one late sleep

}  // namespace

std::optional<Finding> slower_than_recorded(RecordingBasis const& basis) {
    if (!basis.provenance || !basis.time_on_one || basis.provenance->wall_ns < basis.provenance->cpu_ns)
        return std::nullopt;
    Duration const recorded{basis.provenance->wall_ns};
    Duration const replayed = *basis.time_on_one;
    // Switching and spinning may take longer on another machine: it is the waiting that counts.
    Duration const waited{recorded.ns - basis.provenance->cpu_ns};
    auto const longer_ns = std::min(replayed.ns - recorded.ns, basis.idle_on_one.ns - waited.ns);
    if (static_cast<double>(longer_ns) < notably_longer * to_real(recorded).ns ||
        longer_ns < least_difference_ns)
        return std::nullopt;
    Finding found{
        FindingKind::slower_than_recorded, Severity::warning,
        "On one CPU the replay takes " + time_text(replayed) + ", the recorded run took " +
            time_text(recorded) +
            ": the program waits less than the replay has it wait. Sleeps until points in time "
            "that are not equally far apart, tries that do something else where they fail, and loops that "
            "wait by running are replayed as waits of a length, or in another order.",
        ThreadId::none(), SiteId::none()};
    found.may_wait_less = true;
    return found;
}

}  // namespace parcast::forecast
