// Message programs for tests, written as GOAL writes them: operations of one rank after the other, and what
// each waits for.

#pragma once

#include <cstdint>
#include <vector>

#include "program/message_program.h"

namespace parcast::simulate {

// What an operation waits for, and what it occupies.
struct OperationAfter {
    std::vector<std::uint32_t> ends = {};
    std::vector<std::uint32_t> starts = {};
};
struct OperationOn {
    std::uint8_t cpu = 0;
    std::uint8_t nic = 0;
};

class MessageProgramBuilder {
public:
    // What is added from now on is of the next rank. Each returns the number of the operation.
    MessageProgramBuilder& rank() {
        if (begun_)
            close();
        begun_ = true;
        return *this;
    }
    std::uint32_t calc(std::uint64_t ns, OperationAfter const& after = {}, OperationOn on = {}) {
        return add(MessageOperation::calc, ns, 0, 0, after, on, false);
    }
    std::uint32_t send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag,
                       OperationAfter const& after = {}, OperationOn on = {}) {
        return add(MessageOperation::send, bytes, to, tag, after, on, false);
    }
    std::uint32_t synchronous_send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag,
                                   OperationAfter const& after = {}) {
        return add(MessageOperation::send, bytes, to, tag, after, {}, true);
    }
    std::uint32_t receive(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag,
                          OperationAfter const& after = {}, OperationOn on = {}) {
        return add(MessageOperation::receive, bytes, from, tag, after, on, false);
    }
    MessageProgram program() {
        close();
        begun_ = false;
        return program_;
    }

private:
    void close() { program_.first_operation.push_back(static_cast<std::uint32_t>(program_.operations())); }

    std::uint32_t add(MessageOperation operation, std::uint64_t amount, std::uint32_t peer, std::uint32_t tag,
                      OperationAfter const& after, OperationOn on, bool is_synchronous) {
        auto const number = static_cast<std::uint32_t>(program_.operations());
        bool const is_chained =
            after.starts.size() == 0 && after.ends.size() == 1 && after.ends[0] + 1 == number;
        bool const is_free = after.starts.size() + after.ends.size() == 0;
        program_.kind.push_back(MessageKind(operation,
                                            is_free      ? Follows::nothing
                                            : is_chained ? Follows::one_before
                                                         : Follows::precedences,
                                            is_synchronous));
        program_.amount.push_back(amount);
        program_.peer.push_back(peer);
        program_.tag.push_back(tag);
        program_.cpu.push_back(on.cpu);
        program_.nic.push_back(on.nic);
        if (!is_chained) {
            for (auto const earlier : after.ends)
                program_.precedences.push_back({number, earlier, false});
            for (auto const earlier : after.starts)
                program_.precedences.push_back({number, earlier, true});
        }
        return number;
    }

    MessageProgram program_;
    bool begun_ = false;
};

}  // namespace parcast::simulate
