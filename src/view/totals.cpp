#include "view/totals.h"

#include "answer/limit.h"

namespace parcast::view {

std::vector<Total> totals(Run const& run, ReplaySettings replay, Contents contents) {
    auto const real = [](auto value) { return static_cast<double>(value); };
    auto const& accounts = run.accounts;
    bool const is_predicted = !run.timeline || run.timeline->origin == Origin::predicted;
    std::vector<Total> all = {{"cpus", real(accounts.cpus)}, {"completion", real(accounts.completion.ns)}};
    for (auto const& cause : causes)
        all.push_back({cause.name, real(cause.total(accounts).ns)});
    all.insert(all.end(), {{"path_busy", real(accounts.path_busy.ns)},
                           {"operations", real(accounts.operations)},
                           {"context_switches", real(accounts.context_switches)},
                           {"migrations", real(accounts.migrations)},
                           {"deadlocked", real(run.deadlock.has_value())},
                           {"deadlock_time", run.deadlock ? real(run.deadlock->when.ns) : 0},
                           {"scheduler", real(replay.scheduler)},
                           {"pairing", real(replay.pairing)},
                           {"events_left_out", real(!contents.events)},
                           {"predicted", real(is_predicted)},
                           {"intervals_left_out", real(!contents.lanes)}});
    return all;
}

}  // namespace parcast::view
