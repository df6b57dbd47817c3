// How the threads of OpenMP teams wait on the target: as the question says (TargetMachine::waiting), else as
// the recorded run was told to by its environment, else as the machine says.

#pragma once

#include <optional>
#include <string>

#include "forecast/target.h"
#include "program/thread_program.h"
#include "timeline/provenance.h"

namespace parcast::forecast {

// The target, waiting as the recorded run did unless the question says otherwise.
TargetMachine with_recorded_waiting(TargetMachine target, Provenance const& recorded);

// How teams wait, and where that comes from. None: the program has no teams, and nobody asked. `recorded` is
// null for a program that was written down.
std::optional<std::string> team_waiting_assumption(ThreadProgram const& program, TargetMachine const& target,
                                                   Provenance const* recorded);

}  // namespace parcast::forecast
