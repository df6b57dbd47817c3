#include "program/step_program.h"

#include <string>

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

}  // namespace parcast
