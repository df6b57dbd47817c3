// Builds a message program rank after rank, and keeps its invariants: precedences in order, and a mark
// instead of a precedence where an operation only follows the one before it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "program/message_program.h"

namespace parcast {

// One row of the columns, but for what it waits for.
struct MessageStep {
    MessageOperation operation = MessageOperation::calc;
    std::uint64_t amount = 0;
    std::uint32_t peer = 0;
    std::uint32_t tag = 0;
    std::uint8_t cpu = 0;
    std::uint8_t nic = 0;
    bool is_synchronous = false;
    std::uint16_t name = 0;
};

class MessageProgramBuilder {
public:
    // Adds an operation to the rank that is being built; its number in the columns. It waits for nothing.
    // REQUIRES: fewer operations than most_operations.
    std::uint32_t add(MessageStep const& step);
    // `later` waits for `earlier`. REQUIRES: both are of the rank that is being built.
    void wait(std::uint32_t later, std::uint32_t earlier, bool is_start = false) {
        program_.precedences.push_back({later, earlier, is_start});
    }
    // Operations from this one on are part of a collective one. REQUIRES: they are of the rank being built.
    void mark_collective(std::uint32_t first);
    void end_rank();

    // The place of this call in the list of collectives; equal calls have the same.
    std::uint32_t call(CollectiveCall const& call);
    // The line of the text where a collective operation stands; `file`: its text, of several.
    // REQUIRES: operations come in their order.
    void note_line(std::uint32_t operation, std::uint32_t line, std::uint32_t file = 0) {
        program_.collective_lines.push_back({operation, line, file});
    }

    std::uint32_t ranks() const { return program_.ranks(); }
    std::size_t operations() const { return program_.operations(); }
    std::uint32_t first_of_rank() const { return program_.first_operation.back(); }

    MessageProgram finish() &&;

private:
    struct CallOrder {
        bool operator()(CollectiveCall const& left, CollectiveCall const& right) const;
    };

    MessageProgram program_;
    std::map<CollectiveCall, std::uint32_t, CallOrder> calls_;
    std::optional<std::uint32_t> last_call_;
    std::size_t first_precedence_ = 0;  // of the rank that is being built
};

// The order in which a program calls operations, for one rank: each waits until the one before it is done, or
// has started, if that one does not block.
class CallingOrder {
public:
    explicit CallingOrder(MessageProgramBuilder& builder) : builder_(&builder) {}

    // What is called next waits until this is done.
    std::uint32_t run(MessageStep const& step) { return add(step, false); }
    // What is called next waits until this has started.
    std::uint32_t start(MessageStep const& step) { return add(step, true); }
    // What is called next waits until this is done, which was started before.
    void wait(std::uint32_t operation);
    // What must have ended before something is called next. REQUIRES: what was called last blocks.
    std::vector<std::uint32_t> awaited() const;

private:
    struct Awaited {
        std::uint32_t operation;
        bool is_start;
    };

    std::uint32_t add(MessageStep const& step, bool is_start);

    MessageProgramBuilder* builder_;     // a loan
    std::vector<Awaited> awaited_ = {};  // by what is called next
};

}  // namespace parcast
