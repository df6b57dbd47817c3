#include "answer/lock_cycle.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace parcast {

std::vector<StuckThread> lock_cycle(Deadlock const& deadlock) {
    std::map<ThreadId, StuckThread> wants;
    for (StuckThread const& stuck : deadlock.threads)
        if (!stuck.holder.is_none())
            wants.emplace(stuck.thread, stuck);
    for (auto const& [first, stuck] : wants) {
        std::vector<StuckThread> cycle{stuck};
        while (cycle.size() <= wants.size() && cycle.back().holder != first &&
               wants.contains(cycle.back().holder))
            cycle.push_back(wants.at(cycle.back().holder));
        if (cycle.back().holder == first)
            return cycle;
    }
    return {};
}

}  // namespace parcast
