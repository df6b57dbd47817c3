// The steps that conditions and futexes share: what a release becomes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "extract/passes/broadcasts.h"
#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"
#include "extract/plan.h"

namespace parcast::extract {

// Index of the barrier in the plan, none for none. Its yields become arrivals.
std::optional<std::size_t> add_barrier(std::optional<FoundBarrier> const& found, Plan& plan);

// For each chain the token that it takes: numbered by release, then by arrival.
std::vector<std::uint32_t> tokens_of(Exchange const& exchange, std::span<Chain const> chains);

// A release becomes an arrival at `barrier` if there is one, else a signal with a token for each chain that
// it satisfied; a release that satisfied none is a boundary.
void plan_releases(Exchange const& exchange, std::span<Chain const> chains,
                   std::optional<std::size_t> barrier, Plan& plan);

}  // namespace parcast::extract
