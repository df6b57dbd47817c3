// A rank of a message program as a list of calls, as MPI has them: an operation is run, or started and waited
// for later. Formats that are traces of calls are written from it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "import/messages/rank_precedences.h"
#include "program/message_program.h"

namespace parcast {

enum class CallKind : std::uint8_t { run, start, wait };

struct MessageCall {
    CallKind kind = CallKind::run;
    std::uint32_t operation = 0;
};

class CallingLists {
public:
    // The program is a loan.
    explicit CallingLists(MessageProgram const& program) : program_(program), precedences_(program) {}

    // Waits name a message by its peer and tag, the oldest first, so that older ones with the same are waited
    // for as well. Ranks come in their order. Errors: unsupported (an operation waits for a later one).
    Result<std::vector<MessageCall>> of_rank(std::uint32_t rank);

    // What no list of calls can hold, for all ranks so far, in sentences.
    std::vector<std::string> left_out() const;

private:
    bool is_awaited_by_next(std::uint32_t operation, std::uint32_t end);

    MessageProgram const& program_;
    RankPrecedences precedences_;
    std::size_t ordered_ = 0;  // operations that start after the one before them only in the list
};

}  // namespace parcast
