// Collective operations of a message program as messages between two ranks: the program that is left has
// none.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "program/collectives/collective_choice.h"
#include "program/message_program.h"

namespace parcast {

struct UsedAlgorithm {
    CollectiveKind kind = CollectiveKind::barrier;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::linear;
    std::uint64_t operations = 0;  // collective ones, each of all ranks of a communicator

    friend bool operator==(UsedAlgorithm const&, UsedAlgorithm const&) = default;
};

struct LoweredProgram {
    MessageProgram program;
    std::vector<UsedAlgorithm> used;  // by kind, then by algorithm
};

// Some algorithms have a message between each two ranks: 16,384 of them exchange 268 million.
inline constexpr std::size_t usual_most_lowered_operations = 100'000'000;

bool has_collectives(MessageProgram const& program);

// Each rank of a communicator calls its collective operations in the order in which it lists them. Their
// messages have tags that no other message of the program has, one for each communicator: messages between
// two ranks stay in their order. What they become is marked: is_of_collective(). REQUIRES: check(program).
//
// Errors: inconsistent (a rank leaves one out, or calls it in another order, with another root or size, or is
// not in the communicator), out_of_range (a size, or tags that are used up); with rank and operation in
// words. Cost: linear in the operations of both programs.
Result<LoweredProgram> lowered(MessageProgram const& program, CollectiveChoice const& choice = {},
                               std::size_t most_lowered = usual_most_lowered_operations);

}  // namespace parcast
