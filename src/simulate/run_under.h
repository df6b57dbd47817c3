// A replay under one kind of scheduler. Each scheduler defines this function for itself (ideal.cpp,
// linux.cpp), and simulate.cpp calls that of the machine: a scheduler of machine/schedulers.h without one
// does not link.

#pragma once

#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"

namespace parcast::simulate {

// REQUIRES: check(program), check(machine), and `scheduler` is the machine's.
template <class Kind>
Run run_under(Kind const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options);

}  // namespace parcast::simulate
