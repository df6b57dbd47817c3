// The right side of an equation: processes and numeric expressions, by recursive descent, a function a rule.

#pragma once

#include "pamela/syntax/syntax.h"
#include "pamela/syntax/token_reader.h"

namespace parcast::pamela {

// Adds nodes to the syntax. After an error that no bracket of the term confines, the reader is lost.
SyntaxId read_term(TokenReader& reader, Syntax& syntax, EquationKind kind);

}  // namespace parcast::pamela
