// The totals of an execution by name: what section `totals` holds, in this order, and what
// web/src/generated.ts names for the page.

#pragma once

#include <string_view>
#include <vector>

#include "machine/machine.h"
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

std::vector<Total> totals(Run const& run, Machine const& machine, simulate::Pairing pairing,
                          Contents contents);

}  // namespace parcast::view
