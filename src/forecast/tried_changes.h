// What changes of a program whose ranks send messages would bring: each is tried, with a tenth less of it,
// half of it and none.

#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "answer/advice.h"
#include "core/result.h"
#include "program/work_change.h"

namespace parcast::forecast {

inline constexpr auto tried_factors = std::to_array({0.9, 0.5, 0.0});

// The times after a change, by Advice::counts; none: it deadlocks. Called by several threads at once.
using TimesAfter = std::function<Result<std::vector<std::optional<double>>>(Scenario const&)>;
// Whether so much of the work can be left.
using CanTry = std::function<bool(ChangeableWork const&, double factor)>;

// Tries all work, and adds its rows to each count, in the order of what half of each brings there. The first
// to change is the first of them that is none of the network. REQUIRES: each count has a time and no rows.
// Errors: those of the runs.
Result<void> try_changes(Advice& advice, CanTry const& can_try, TimesAfter const& times_after,
                         unsigned workers);

}  // namespace parcast::forecast
