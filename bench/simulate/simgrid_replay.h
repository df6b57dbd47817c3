// A thread program in SimGrid (Casanova, Legrand et al.), the simulator of distributed systems that Debian
// has: an actor for each thread on a host of its own, which computes and takes mutexes.

#pragma once

#include <optional>

#include "program/thread_program.h"

namespace parcast::bench {

// Whether SimGrid was there when this was built.
extern bool const has_simgrid;

struct SimgridReplay {
    double completion_s = 0;  // predicted
    double cpu_s = 0;         // for the simulation alone, not for making the actors
};

// None if it failed. REQUIRES: has_simgrid; threads that create each other, lock and unlock, and nothing
// else.
std::optional<SimgridReplay> replay_in_simgrid(ThreadProgram const& program);

}  // namespace parcast::bench
