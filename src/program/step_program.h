// What must be done by ranks that compute and communicate in turn: oblivious algorithms whose steps do not
// overlap, as systolic matrix algorithms (Rugina and Schauser 1998, section 2). In each step every rank
// computes, then the step's messages are sent and received. The text is docs/formats/steps.md.
//
// Invariants: (1) compute_ns has a row of `ranks` times for each step, none negative; (2) first_message rises
// from 0 to messages.size(); (3) ranks of messages are in range, and no rank sends to itself.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "program/message_program.h"

namespace parcast {

inline constexpr std::uint32_t most_ranks = 1U << 24;

struct StepMessage {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(StepMessage const&, StepMessage const&) = default;
};

struct StepProgram {
    std::string name;
    std::uint32_t ranks = 0;
    std::vector<std::int64_t> compute_ns;          // by step, then by rank
    std::vector<std::size_t> first_message = {0};  // by step, and the number of messages at the end
    std::vector<StepMessage> messages;             // by step; those of a rank in the order in which it sends
    std::vector<std::string> assumptions;          // how it was made, in sentences for the user

    std::size_t steps() const { return first_message.size() - 1; }
    std::span<std::int64_t const> compute_of(std::size_t step) const {
        return std::span(compute_ns).subspan(step * ranks, ranks);
    }
    std::span<StepMessage const> messages_of(std::size_t step) const {
        return std::span(messages).subspan(first_message[step],
                                           first_message[step + 1] - first_message[step]);
    }

    friend bool operator==(StepProgram const&, StepProgram const&) = default;
};

// The same as operations that overlap: a rank sends a step's messages when it has computed it, and computes
// the next one as soon as it has sent them and has its own messages of that step, while its interface and
// other ranks are still busy. Receives are posted from the start. REQUIRES: check(program). Cost: linear.
MessageProgram overlapped(StepProgram const& program);

// Says which invariant does not hold. Cost: linear.
Result<void> check(StepProgram const& program);

}  // namespace parcast
