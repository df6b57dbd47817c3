// A part of a piece of work: what a function spent itself, called in one particular way. The pieces of a
// thread's work have numbers: those of the event, or the operation, that comes after the piece.

#pragma once

#include <cstdint>

#include "core/id.h"

namespace parcast {

struct WorkShare {
    std::uint32_t piece = 0;
    StackId stack = StackId::none();  // none: outside of all functions that were recorded
    std::int64_t ns = 0;              // CPU time, with what recording the calls cost
    std::uint32_t calls = 0;          // begun in the piece
    std::uint32_t deeper_calls = 0;   // calls from here that were too deep to be distinguished

    friend bool operator==(WorkShare const&, WorkShare const&) = default;
};
static_assert(sizeof(WorkShare) == 24);

}  // namespace parcast
