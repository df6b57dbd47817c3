// Replays of a program and a machine that are a little different from what is believed: ranges are made of
// them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/run_listener.h"
#include "core/result.h"
#include "machine/machine.h"
#include "machine/thread_plan.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

// What is drawn for one replay on each number of CPUs: deviations from what is believed, of a normal law.
struct Draw {
    std::uint64_t seed = 0;
    double events = 0;
    double costs = 0;
};

// Latin hypercube: each deviation takes the middles of n parts of its law that are equally probable, in an
// order of its own (McKay, Beckman and Conover 1979).
std::vector<Draw> draws(std::uint32_t count);

// How far all costs are from what is believed, for so large a deviation: in standard deviations where they
// were measured; else by how much they are multiplied, less 1. Times follow it nearly along a straight line.
double moved_costs(Machine const& machine, double deviation);

double normal_quantile(double probability);
inline constexpr double quartiles_apart = 1.349;  // of a normal law, in standard deviations

// How long a varied replay takes.
struct VariedTime {
    double log = 0;          // of the completion time in ns
    bool is_paired = false;  // it deadlocked under the answer's model, and ended with recorded wake-ups
};
using LogTime = std::optional<VariedTime>;  // none: a deadlock

struct VariedProgram {
    CheckedProgram const& program;
    Machine const& machine;  // but for the number of CPUs
    simulate::Pairing pairing = simulate::Pairing::any;
    double event_deviation_ns = 0;
    std::span<PlannedThread const> plan = {};  // binds threads, whatever the program says
};

struct VariedReplays {
    std::vector<Draw> draws;
    std::vector<std::uint32_t> cpus;
    std::vector<LogTime> log_times;  // by number of CPUs, then by draw

    // None, too, where there was no replay on so many. REQUIRES: draw < draws.size().
    LogTime on(std::uint32_t cpus, std::size_t draw) const;
};

// All draws on all numbers of CPUs. A replay that deadlocks under the direct model is repeated with recorded
// wake-ups: those of conditions, then all. Errors: those of the replays. REQUIRES: workers >= 1.
Result<VariedReplays> varied_replays(VariedProgram const& varied, std::vector<std::uint32_t> cpus,
                                     std::vector<Draw> draws, unsigned workers,
                                     RunListener const& listener = {});

}  // namespace parcast::forecast
