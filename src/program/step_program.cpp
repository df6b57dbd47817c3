#include "program/step_program.h"

#include <string>
#include <vector>

#include "program/message_program_builder.h"

namespace parcast {

Result<void> check(StepProgram const& program) {
    if (program.ranks == 0 || program.ranks > most_ranks)
        return fail(ErrorCode::out_of_range,
                    "the program has " + std::to_string(program.ranks) + " ranks; it needs 1 to 16777216");
    if (program.first_message.empty() || program.first_message.front() != 0 ||
        program.first_message.back() != program.messages.size() ||
        program.compute_ns.size() != program.steps() * program.ranks)
        return fail(ErrorCode::inconsistent, "the steps do not divide their messages");
    for (std::size_t step = 0; step < program.steps(); ++step) {
        if (program.first_message[step] > program.first_message[step + 1])
            return fail(ErrorCode::inconsistent, "the steps do not divide their messages");
        auto const where = "step " + std::to_string(step);
        for (auto const ns : program.compute_of(step))
            if (ns < 0)
                return fail(ErrorCode::out_of_range, where + " computes for less than no time");
        for (auto const& message : program.messages_of(step)) {
            if (message.from >= program.ranks || message.to >= program.ranks)
                return fail(ErrorCode::out_of_range,
                            where + " has a message from rank " + std::to_string(message.from) + " to rank " +
                                std::to_string(message.to) + "; there are ranks 0 to " +
                                std::to_string(program.ranks - 1));
            if (message.from == message.to)
                return fail(ErrorCode::inconsistent,
                            where + ": rank " + std::to_string(message.from) + " sends a message to itself");
        }
    }
    return {};
}

namespace {

// The messages of each rank, step by step: those that it sends, and those that it receives.
struct MessagesOfRanks {
    std::vector<std::vector<std::size_t>> sent;
    std::vector<std::vector<std::size_t>> received;

    explicit MessagesOfRanks(StepProgram const& program) : sent(program.ranks), received(program.ranks) {
        for (std::size_t message = 0; message < program.messages.size(); ++message) {
            sent[program.messages[message].from].push_back(message);
            received[program.messages[message].to].push_back(message);
        }
    }
};

}  // namespace

MessageProgram overlapped(StepProgram const& program) {
    MessagesOfRanks const messages(program);
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
        auto sent = messages.sent[rank].begin();
        auto received = messages.received[rank].begin();
        std::vector<std::uint32_t> awaited;  // by the next computation
        for (std::size_t step = 0; step < program.steps(); ++step) {
            auto const end = program.first_message[step + 1];
            auto const tag = static_cast<std::uint32_t>(step);
            auto const computation =
                builder.add({.operation = MessageOperation::calc,
                             .amount = static_cast<std::uint64_t>(program.compute_of(step)[rank])});
            for (auto const each : awaited)
                builder.wait(computation, each);
            auto before = computation;
            for (; sent != messages.sent[rank].end() && *sent < end; ++sent) {
                auto const& message = program.messages[*sent];
                auto const send = builder.add({.operation = MessageOperation::send,
                                               .amount = message.bytes,
                                               .peer = message.to,
                                               .tag = tag});
                builder.wait(send, before);
                before = send;
            }
            awaited = {before};
            for (; received != messages.received[rank].end() && *received < end; ++received) {
                auto const& message = program.messages[*received];
                awaited.push_back(builder.add({.operation = MessageOperation::receive,
                                               .amount = message.bytes,
                                               .peer = message.from,
                                               .tag = tag}));
            }
        }
        builder.end_rank();
    }
    auto lowered = std::move(builder).finish();
    lowered.name = program.name;
    return lowered;
}

}  // namespace parcast
