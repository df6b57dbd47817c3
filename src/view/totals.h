// The totals of an execution by name: what section `totals` holds, in this order, and what
// web/src/generated.ts names for the page.

#pragma once

#include <string_view>
#include <vector>

#include "machine/schedulers.h"
#include "simulate/simulate.h"

namespace parcast::view {

struct Total {
    std::string_view name;
    double value = 0;
};

struct Contents {
    bool lanes = false;
    bool events = false;
};

// How the run of a recording's program was made. That of a task graph has no such thing.
struct ReplaySettings {
    SchedulerNumber scheduler{};
    simulate::Pairing pairing = simulate::Pairing::any;
};

std::vector<Total> totals(Run const& run, ReplaySettings replay, Contents contents);

}  // namespace parcast::view
