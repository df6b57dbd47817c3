// What does it cost the threads of a program to take turns on one CPU?
//
// A thread whose turn comes finds the caches full of the others' data. The same program with longer time
// slices takes fewer turns and does the same work: what it uses less of is the cost of the turns that it did
// not take. Only the program's own code is compared: the system's time depends on slices for reasons of its
// own.
//
// Assumptions: (1) the work does not depend on who runs when. (2) Turns that longer slices leave (a twelfth
// with 50 instead of 4 ms) are left out of account.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/spread.h"
#include "measure/child_run.h"

namespace parcast::measure {

struct TurnCost {
    Spread share;     // of the CPU time with usual slices, spent on turns
    Spread price_ns;  // of one turn
    bool is_clear = false;
};

// What less is not told from noise.
inline constexpr double least_turn_share = 0.01;

// From pairs of runs on one CPU that were made one after the other, usual[i] and longer[i]. It is clear if
// each pair shows one of at least least_turn_share: noise alone makes three pairs positive in one case out of
// eight. None if a pair of runs says nothing about turns: with longer slices there were not fewer of them,
// or the run was so short that the kernel counted no time for it.
// REQUIRES: as many of each, at least one, which took time.
std::optional<TurnCost> turn_cost(std::span<ChildRun const> usual, std::span<ChildRun const> longer);

}  // namespace parcast::measure
