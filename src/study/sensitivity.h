// How much of what busy memory does to a loop that only moves memory it does to a program, and the program to
// it: from runs and loops beside pressing CPUs. After Bubble-Up (Mars, Tang, Hundt, Skadron and Soffa 2011),
// with the machine's own two loops for its scale. docs/record.md, Memory.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "timeline/provenance.h"

namespace parcast::study {

// What pressing CPUs do to a program or a loop on another one, and that to them.
struct Pressed {
    double slowdown = 1;       // CPU time beside them over that without
    double presser_share = 1;  // of their CPUs' time that the pressing loops had, mean
    double presser_ns = 0;     // CPU time of a round of a pressing loop beside it
    double cpu_share = 1;      // of its CPU's time that it had itself
};

// A run of the program, and both loops just before and after it.
struct PressedRun {
    Pressed program;
    Pressed compute;
    Pressed memory;
};

// Medians. REQUIRES: at least one.
Pressed median_of(std::vector<Pressed> const& pressed);

// With s, c and m the slowdowns of the program and of both loops, s - c = sensitivity (m - c): by the rate
// law (machine/rates.h) it is the share of the program's time that memory limits. Likewise the pressure, with
// the times of the pressing loops. A line through the origin with the least sum of absolute deviations, since
// hosts of virtual machines move CPUs apart and together, and m - c with them; ranges by what is left beside
// the line. Errors: out_of_range: busy CPUs do not slow memory down here, or pressing loops had less than
// half of their CPUs' time. REQUIRES: at least one run.
Result<MemorySensing> sensitivity_of(std::vector<PressedRun> const& runs, std::int64_t pressing_cpus);

}  // namespace parcast::study
