// Which wait took what, in an execution that is known only by who executed the operations: for programs that
// were written down. The recording of such a program is its replay on one CPU.
//
// Whoever waits first gets what is given first (Pairing::any), so that the number of a take is its place
// among the takes of its object.

#pragma once

#include <span>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"

namespace parcast::semantics {

// Whether what they took can be added: not where more tokens are given than a wait could name.
bool may_have_takes(ThreadProgram const& program);

// Whether a wait of the program does not say what it took: on a semaphore, for an activation or any end, or
// on a condition of which no wait does.
bool lacks_takes(ThreadProgram const& program);

// By object: conditions of which no wait says what it took.
std::vector<bool> conditions_without_takes(ThreadProgram const& program);

// Adds them. `order`: the threads that executed the operations, all of them, one after the other, under
// Pairing::any. REQUIRES: check(program) holds.
void add_takes(std::span<ThreadId const> order, ThreadProgram& program);

}  // namespace parcast::semantics
