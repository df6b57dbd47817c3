// Whose futexes are they? C++ and Rust libraries wait by system calls in functions that the compiler inlines
// into the program, or instantiates beside it: the functions around the call say of which type they are. The
// Java VM has functions in which its threads wait.

#pragma once

#include <span>
#include <string>

#include "core/catalogue.h"

namespace parcast::trace {

// Of a library's header, or named as one where there is no debug information.
bool is_library_frame(Frame const& frame);

// "std::barrier", "std::atomic", "Rust Mutex", ...: by the library's frames, which are innermost. Empty: none
// of those that are known.
std::string library_type(std::span<Frame const> frames);

}  // namespace parcast::trace
