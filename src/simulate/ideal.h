// Processor sharing: n running threads progress at rate min(1, P/n) each, as if slices were infinitely
// small, slowed down by the rate law. Ignores affinity, priorities, costs and spinning. At one instant
// threads act in the order of their ids.
//
// Cost: O(log threads) an operation; an operation that comes before every other event costs O(1).

#pragma once

#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"

namespace parcast::simulate {

// REQUIRES: check(program) and check(machine).
Run run_ideal(ThreadProgram const& program, Machine const& machine, Options const& options);

}  // namespace parcast::simulate
