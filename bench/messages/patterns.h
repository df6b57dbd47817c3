// Message programs with the communication of well-known algorithms, as often as fits into a number of
// operations: 20 us of computing, then messages of 64 bytes.

#pragma once

#include <cstdint>
#include <span>

#include "program/message_program.h"

namespace parcast::bench {

struct Pattern {
    char const* name;
    // About so many operations. REQUIRES: a power of two of ranks.
    MessageProgram (*program)(std::uint32_t ranks, std::uint64_t operations);
};

std::span<Pattern const> patterns();

}  // namespace parcast::bench
