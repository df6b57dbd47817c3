// Readers of foreign message programs, a function each. All take bytes and pass check(). What a program of
// ranks cannot hold is in `assumptions`, a sentence each. Which parts are read: docs/formats/messages.md.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "program/message_program.h"

namespace parcast {

// A schedule in the text of GOAL (Hoefler, Siebert and Lumsdaine 2009), as LogGOPSim's converter takes it.
//
// Errors: malformed, truncated, not_found (a label), out_of_range, inconsistent; with line and column.
// Cost: one pass; memory of the program and of the labels of one rank.
Result<MessageProgram> messages_from_goal(std::string_view text, std::string_view file);

// A schedule in the binary form of GOAL.
//
// Errors: malformed, truncated, out_of_range, inconsistent; with byte offset.
Result<MessageProgram> messages_from_goal_binary(std::string_view bytes, std::string_view file);

struct NamedText {
    std::string file;
    std::string_view text;
};

// A time-independent trace of SimGrid: one text with all ranks, or one for each rank, in their order.
// `flops_per_ns`: the speed at which it computes.
//
// Errors: malformed, not_found (a request), out_of_range, unsupported (an action), inconsistent; with line
// and column.
Result<MessageProgram> messages_from_simgrid_ti(std::span<NamedText const> texts, double flops_per_ns = 1);

// A trace of Dimemas. The threads of a task become CPUs of its rank.
//
// Errors: malformed, truncated, not_found (a task or communicator), out_of_range, unsupported (a record),
// inconsistent; with line and column.
Result<MessageProgram> messages_from_dimemas(std::string_view text, std::string_view file);

}  // namespace parcast
