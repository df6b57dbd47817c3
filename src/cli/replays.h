// Replays one program on several machines at once.

#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "machine/machine.h"
#include "simulate/simulate.h"

namespace parcast::cli {

// runs[i] is the replay on machines[i], whatever the number of workers: a replay shares nothing with the
// others but the program, which nobody changes. Errors: the first in the order of machines.
// REQUIRES: workers >= 1.
Result<std::vector<simulate::Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                              unsigned workers);

}  // namespace parcast::cli
