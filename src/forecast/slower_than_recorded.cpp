#include "forecast/slower_than_recorded.h"

#include <algorithm>
#include <cstdint>

#include "core/time_text.h"
#include "extract/program_time.h"

namespace parcast::forecast {

namespace {

constexpr double notably_longer = 0.05;                  // of the time that the recorded run needed
constexpr std::int64_t least_difference_ns = 5'000'000;  // where less may be one late sleep
constexpr double notably_disturbed = 0.2;                // of the recorded time, to other programs

Duration not_at_work(Provenance const& recorded) {
    return {recorded.wall_ns - recorded.cpu_ns};
}

// The longest that one thread spent in timed waits that ran out.
Duration time_in_timeouts(Timeline const& recorded) {
    Duration most;
    for (EventList const& events : recorded.events) {
        Duration sum;
        for (Event const event : events)
            if (event.blocked && event.outcome == Outcome::timed_out)
                sum.ns += event.span_ns;
        most = std::max(most, sum);
    }
    return most;
}

}  // namespace

Duration waiting_of_the_program(Timeline const& recorded) {
    Duration const most = not_at_work(recorded.provenance);
    double const wall_ns = static_cast<double>(recorded.provenance.wall_ns);
    if (to_real(most).ns <= notably_disturbed * wall_ns ||
        to_real(time_in_timeouts(recorded)).ns < notably_longer * wall_ns)
        return most;
    Duration const rest = extract::time_at_rest(recorded);
    return to_real(most - rest).ns > notably_disturbed * wall_ns ? rest : most;
}

std::optional<Finding> slower_than_recorded(RecordingBasis const& basis, Duration waited) {
    if (!basis.provenance || !basis.time_on_one || basis.provenance->wall_ns < basis.provenance->cpu_ns)
        return std::nullopt;
    Duration const worked{basis.provenance->cpu_ns};
    Duration const needed = worked + waited;
    Duration const replayed = *basis.time_on_one;
    // Switching and spinning may take longer on another machine: it is the waiting that counts.
    auto const longer = std::min(replayed - needed, basis.idle_on_one - waited);
    if (to_real(longer).ns < notably_longer * to_real(needed).ns || longer.ns < least_difference_ns)
        return std::nullopt;
    Finding found{
        FindingKind::slower_than_recorded, Severity::warning,
        "On one CPU the replay takes " + time_text(replayed) + ", the recorded run " +
            (waited == not_at_work(*basis.provenance)
                 ? "took " + time_text(needed)
                 : "needed " + time_text(needed) + " (" + time_text(worked) + " of CPU time, and " +
                       time_text(waited) + " in which all threads waited)") +
            ": the program waits less than the replay has it wait. Timed waits that ran out beside other "
            "programs, sleeps until points in time that are not equally far apart, tries that do something "
            "else where they fail, and loops that wait by running are replayed as waits of a length, or in "
            "another order.",
        ThreadId::none(), SiteId::none()};
    found.may_wait_less = true;
    return found;
}

}  // namespace parcast::forecast
