#include "forecast/crossed_locks.h"

#include <algorithm>

#include "core/counted.h"

namespace parcast::forecast {

std::optional<Finding> crossed_locks(std::span<Run const> runs, Catalogue const& catalogue) {
    auto const most = std::ranges::max_element(runs, {}, &Run::crossings);
    if (most == runs.end() || most->crossings == 0)
        return std::nullopt;
    auto const place = catalogue.objects[most->crossed_lock.index()].first_site;
    auto const alike = std::ranges::count_if(catalogue.objects, [&](Object const& each) {
        return each.kind == ObjectKind::mutex && each.name.empty() && each.first_site == place;
    });
    return Finding{FindingKind::crossed_locks, Severity::warning,
                   "Threads that hold a lock want one of " + counted(alike, "mutex", "mutexes") +
                       " of one place. On " + counted(most->accounts.cpus, "CPU") +
                       " threads waited for each other in a circle, " +
                       counted(most->crossings, "time", "times") +
                       ", and the replay let one of them give its lock back. If which mutex a thread takes "
                       "depends on what others have written, the program takes other ones there. If not, it "
                       "can hang like this: let all threads take them in one order.",
                   ThreadId::none(), place};
}

}  // namespace parcast::forecast
