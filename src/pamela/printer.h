// A syntax tree back as text, laid out and with no more parentheses than needed. Parsing what is printed
// gives the same tree; comments are not kept.

#pragma once

#include <string>

#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

std::string print(Syntax const& model);

// One expression or process on one line, for messages.
std::string print_on_a_line(Syntax const& model, SyntaxId id);

}  // namespace parcast::pamela
