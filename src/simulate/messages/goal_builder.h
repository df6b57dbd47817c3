// Message programs for tests, written as GOAL writes them: operations of one rank after the other, and what
// each waits for.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/message_program_builder.h"

namespace parcast::simulate {

// What an operation waits for, and what it occupies.
struct GoalAfter {
    std::vector<std::uint32_t> ends = {};
    std::vector<std::uint32_t> starts = {};
};
struct GoalOn {
    std::uint8_t cpu = 0;
    std::uint8_t nic = 0;
};

class GoalBuilder {
public:
    // What is added from now on is of the next rank. The others return the number of the operation.
    GoalBuilder& rank() {
        if (begun_)
            builder_.end_rank();
        begun_ = true;
        return *this;
    }
    std::uint32_t calc(std::uint64_t ns, GoalAfter const& after = {}, GoalOn on = {}) {
        return add({MessageOperation::calc, ns, 0, 0, on.cpu, on.nic}, after);
    }
    std::uint32_t send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag, GoalAfter const& after = {},
                       GoalOn on = {}) {
        return add({MessageOperation::send, bytes, to, tag, on.cpu, on.nic}, after);
    }
    std::uint32_t synchronous_send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag,
                                   GoalAfter const& after = {}) {
        return add({MessageOperation::send, bytes, to, tag, 0, 0, true}, after);
    }
    std::uint32_t receive(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag,
                          GoalAfter const& after = {}, GoalOn on = {}) {
        return add({MessageOperation::receive, bytes, from, tag, on.cpu, on.nic}, after);
    }

    // Once.
    MessageProgram program() {
        builder_.end_rank();
        return std::move(builder_).finish();
    }

private:
    std::uint32_t add(MessageStep const& step, GoalAfter const& after) {
        auto const number = builder_.add(step);
        for (auto const earlier : after.ends)
            builder_.wait(number, earlier);
        for (auto const earlier : after.starts)
            builder_.wait(number, earlier, true);
        return number;
    }

    MessageProgramBuilder builder_;
    bool begun_ = false;
};

}  // namespace parcast::simulate
