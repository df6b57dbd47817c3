#include "forecast/slower_than_recorded.h"

#include <algorithm>
#include <cstdint>

#include "core/time_text.h"

namespace parcast::forecast {

namespace {

constexpr double notably_longer = 0.05;                  // of the recorded time
constexpr std::int64_t least_difference_ns = 5'000'000;  // where less may be one late sleep

// Who sleeps until points in time waits less beside other programs, and loses nothing by a few of these.
constexpr double notably_disturbed = 0.2;  // of the recorded time, to other programs

Duration waited_in(Duration recorded, Duration worked, Duration rest) {
    Duration const most = recorded - worked;
    bool const is_disturbed = to_real(most - rest).ns > notably_disturbed * to_real(recorded).ns;
    return is_disturbed ? rest : most;
}

}  // namespace

std::optional<Finding> slower_than_recorded(RecordingBasis const& basis, Duration rest) {
    if (!basis.provenance || !basis.time_on_one || basis.provenance->wall_ns < basis.provenance->cpu_ns)
        return std::nullopt;
    Duration const worked{basis.provenance->cpu_ns};
    Duration const waited = waited_in({basis.provenance->wall_ns}, worked, rest);
    Duration const needed = worked + waited;
    Duration const replayed = *basis.time_on_one;
    // Switching and spinning may take longer on another machine: it is the waiting that counts.
    auto const longer = std::min(replayed - needed, basis.idle_on_one - waited);
    if (to_real(longer).ns < notably_longer * to_real(needed).ns || longer.ns < least_difference_ns)
        return std::nullopt;
    Finding found{
        FindingKind::slower_than_recorded, Severity::warning,
        "On one CPU the replay takes " + time_text(replayed) + ", the recorded run needed " +
            time_text(needed) + " (" + time_text(worked) + " of CPU time, and " + time_text(waited) +
            " in which all threads waited): the program waits less than the replay has it wait. Timed waits "
            "that ran out beside other programs, sleeps until points in time that are not equally far apart, "
            "tries that do something else where they fail, and loops that wait by running are replayed as "
            "waits of a length, or in another order.",
        ThreadId::none(), SiteId::none()};
    found.may_wait_less = true;
    return found;
}

}  // namespace parcast::forecast
