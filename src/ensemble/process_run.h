// A process model executed with random times, many times: queueing for resources included, which the formulas
// only bound from below.
//
// Times are drawn from laws fitted to their moments (stochastic/law.h), and negative ones count as 0. A
// condition is true with the probability that is its mean; a random number of turns is drawn and rounded at
// random. A subtree that uses no contended resource takes its time in one draw where no single time in it
// dominates (plan.h).
//
// Source: the semantics of docs/formats/pamela.md.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/moments.h"
#include "core/result.h"
#include "ensemble/sample_moments.h"
#include "program/process_model.h"

namespace parcast::ensemble {

// Runs go on until the mean is as precise as asked for and they have cost `cheap_operations`, or one of the
// limits is met. An operation is a time or a use.
struct EnsembleOptions {
    double relative_half_width = 0.01;  // of the mean's 95 % confidence interval
    std::uint32_t least_runs = 32;      // at least 8, but one where nothing is random
    std::uint32_t most_runs = 100'000;
    std::uint64_t cheap_operations = 10'000'000;    // spent on the higher moments and the quantiles
    std::uint64_t most_operations = 2'000'000'000;  // of all runs together
    std::uint32_t threads = 0;                      // 0: one for each CPU
    std::uint64_t seed = 1;
    // Told now and then that the run of this number, from 1, begins; by several threads. May be empty.
    std::function<void(std::uint64_t run, std::uint64_t planned)> run_begins = {};
};

struct Ensemble {
    Moments moments;                                        // of the execution time
    ConfidenceInterval mean, variance, skewness, kurtosis;  // 95 % confidence
    std::vector<double> times;                              // of every run, sorted
    std::uint64_t operations = 0;
    double clipped_time = 0;         // what negative draws taken as 0 add to the work of a run, in the mean
    bool is_random = false;          // else there is one run, and it says all
    std::vector<std::string> notes;  // assumptions, clipped draws, intervals wider than asked for

    // The value that a fraction of the runs stays below, between two of them by interpolation.
    double quantile(double fraction) const;
};

// Parameters: a value for each of model.parameters, in their order. Same model, values, seed: same result,
// whatever the number of threads. Errors: those of plan_of; out_of_range (the least number of runs would need
// more operations than allowed: what to set smaller).
Result<Ensemble> simulate(ProcessModel const& model, ProcessId root, std::span<double const> parameters,
                          EnsembleOptions const& options);

}  // namespace parcast::ensemble
