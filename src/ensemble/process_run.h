// A process model executed with random times, many times: queueing for resources included, which the formulas only
// bound from below. Subtrees that use no contended resource take their time in one draw, from the law fitted to
// their moments.
//
// Source: the semantics of docs/formats/pamela.md.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/moments.h"
#include "core/result.h"
#include "program/process_model.h"

namespace parcast::ensemble {

struct EnsembleOptions {
    double relative_half_width = 0.01;     // of the mean's 95 % confidence interval: until it is as narrow
    std::uint32_t least_runs = 32;
    std::uint32_t most_runs = 100'000;
    std::uint64_t most_operations = 2'000'000'000;  // of all runs together
    std::uint32_t threads = 0;             // 0: one for each CPU
    std::uint64_t seed = 1;
};

struct Interval {
    double low = 0;
    double high = 0;
};

struct Ensemble {
    Moments moments;             // of the execution time
    Interval mean, variance, skewness, kurtosis;  // 95 % confidence
    std::vector<double> times;   // of every run, sorted
    std::uint64_t operations = 0;
    std::vector<std::string> notes;  // assumptions, clipped draws, intervals wider than asked for
};

// Same model, values, seed: same result, whatever the number of threads. Errors: out_of_range (a run would need more
// operations than allowed: what to set smaller), inconsistent (two resources with one index, unlike multiplicities).
Result<Ensemble> simulate(ProcessModel const& model, ProcessId root, std::span<double const> parameters, EnsembleOptions const& options);

}  // namespace parcast::ensemble
