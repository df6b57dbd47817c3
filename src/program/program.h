// A program in one of its forms: a closed variant. Each form is a small type with invariants of its own.

#pragma once

#include <variant>

#include "program/thread_program.h"

namespace parcast {

using Program = std::variant<ThreadProgram>;

}  // namespace parcast
