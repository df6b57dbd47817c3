// A program that was written down does not say what its waits took in a recording. What they take on one CPU
// stands for that: as if it had been recorded there, where each thread runs until it waits, those of higher
// real-time levels first.

#pragma once

#include <vector>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast::simulate {

// Every wait of the program knows what it takes; false, and nothing has changed, if the program deadlocks on
// one CPU, or gives more tokens than it has operations. Costs a replay, unless the waits knew it already.
// REQUIRES: check(program) holds, and still does afterwards. Errors: those of `run`.
Result<bool> take_as_on_one_cpu(ThreadProgram& program);
// Whether every wait does so already: the program is of a recording, or was written down with all of it.
bool knows_takes(ThreadProgram const& program);
// By object: conditions of which no wait does.
std::vector<bool> conditions_without_takes(ThreadProgram const& program);

}  // namespace parcast::simulate
