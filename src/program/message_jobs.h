// Several message programs as one: they run at the same time, each with ranks of its own.

#pragma once

#include <vector>

#include "core/result.h"
#include "program/message_program.h"

namespace parcast {

// The ranks of the first program, then those of the second, and so on. No message goes from one to another;
// what was of all ranks of a program becomes a communicator of them. A single program stays as it is.
// REQUIRES: each passes check(), at least one. Errors: out_of_range (operations, ranks, names). Cost: linear.
Result<MessageProgram> side_by_side(std::vector<MessageProgram> programs);

}  // namespace parcast
