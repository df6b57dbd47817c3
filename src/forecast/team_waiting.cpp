#include "forecast/team_waiting.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/time_text.h"
#include "machine/limits.h"
#include "machine/team_waiting.h"

namespace parcast::forecast {

namespace {

struct RecordedWaiting {
    std::optional<WaitPolicy> policy;
    std::optional<double> spin_count;
    std::string as_set;  // "OMP_WAIT_POLICY=active"; empty: nothing was set that libgomp takes

    explicit RecordedWaiting(Provenance const& recorded) {
        if (!recorded.settings)
            return;
        for (auto const& [name, value] : *recorded.settings) {
            if (name == "OMP_WAIT_POLICY")
                policy = parse_wait_policy(value);
            else if (name == "GOMP_SPINCOUNT")
                spin_count = parse_spin_count(value);
            else
                continue;
            bool const is_taken = name == "OMP_WAIT_POLICY" ? policy.has_value() : spin_count.has_value();
            if (is_taken)
                as_set += (as_set.empty() ? "" : " and ") + name + '=' + value;
        }
    }
};

std::string where_it_comes_from(TargetMachine const& target, Provenance const* recorded) {
    if (target.waiting)
        return "--waiting " + std::string(wait_policies[static_cast<std::size_t>(*target.waiting)]);
    auto const as_set = recorded ? RecordedWaiting(*recorded).as_set : std::string();
    if (!as_set.empty())
        return "the recorded run had " + as_set;
    std::string const usual = target.file ? "as " + *target.file + " says" : "as libgomp usually does";
    if (recorded && !recorded->settings)
        return usual + "; the recording does not know the policy";
    return usual + (recorded ? "; the recorded run set no policy" : "");
}

std::string for_how_long(Waiting const& waiting) {
    if (waiting.team_spin.ns == 0)
        return "sleep at once where they wait for each other";
    auto const time = waiting.team_spin.ns < spin_limits.high_ns ? " for " + time_text(waiting.team_spin)
                                                                 : std::string(" until they are released");
    return "spin" + time + " where each has a CPU" +
           (waiting.crowded_team_spin.ns > 0 ? ", else for " + time_text(waiting.crowded_team_spin) : "");
}

}  // namespace

TargetMachine with_recorded_waiting(TargetMachine target, Provenance const& recorded) {
    if (target.waiting)
        return target;
    RecordedWaiting const waiting(recorded);
    target.shape.waiting = with_team_waiting(target.shape.waiting, waiting.policy, waiting.spin_count);
    return target;
}

std::optional<std::string> team_waiting_assumption(ThreadProgram const& program, TargetMachine const& target,
                                                   Provenance const* recorded) {
    if (std::ranges::none_of(program.objects, &ObjectParameters::team)) {
        if (!target.waiting)
            return std::nullopt;
        return "--waiting changes nothing: the program has no OpenMP team.";
    }
    auto const& row = schedulers[number_of(target.shape.scheduler)];
    if (row.knows_spinning)
        return "Threads of OpenMP teams " + for_how_long(target.shape.waiting) + ": " +
               where_it_comes_from(target, recorded) + '.';
    if (target.shape.waiting.team_spin.ns == 0)
        return std::nullopt;
    return "Nobody spins under the scheduler " + std::string(row.word) +
           ". Waking the threads of OpenMP teams costs nothing there where each has a CPU, as if they spun.";
}

}  // namespace parcast::forecast
