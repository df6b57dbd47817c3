// Message programs in foreign formats, a function each. What a format cannot hold and the times do not need
// is left out, and said in a sentence each. docs/formats/messages.md.

#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "program/message_program.h"

namespace parcast {

struct WrittenMessages {
    std::string bytes;
    std::vector<std::string> left_out;  // by the format, in sentences for the user
};

// The text and the binary form of GOAL. The binary form has the bytes that LogGOPSim's converter makes of the
// text. REQUIRES: check(program). Errors: unsupported (collective operations: make them messages first).
Result<WrittenMessages> to_goal(MessageProgram const& program);
Result<WrittenMessages> to_goal_binary(MessageProgram const& program);

// A time-independent trace of SimGrid with all ranks in one text, and a trace of Dimemas with its table of
// offsets. Both are lists of what each rank calls, so that operations that the program leaves free start in
// their order. REQUIRES: check(program). Errors: unsupported (precedences on later operations; in the former,
// collectives of a part of the ranks).
Result<WrittenMessages> to_simgrid_ti(MessageProgram const& program, double flops_per_ns = 1);
Result<WrittenMessages> to_dimemas(MessageProgram const& program);

}  // namespace parcast
