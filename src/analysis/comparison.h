// Compares a predicted speed-up with a measured one, and splits the difference (answer/comparison.h).

#pragma once

#include <cstdint>
#include <span>

#include "answer/comparison.h"
#include "timeline/accounts.h"

namespace parcast::analysis {

// Of a replay.
RunTimes run_times(Accounts const& accounts);

struct PredictedTimes {
    RunTimes one;
    RunTimes many;
};

// REQUIRES: one and many are of the same rounds and not empty, all times positive.
Comparison compare(PredictedTimes const& predicted, std::span<RunTimes const> one,
                   std::span<RunTimes const> many, std::uint32_t cpus);

}  // namespace parcast::analysis
