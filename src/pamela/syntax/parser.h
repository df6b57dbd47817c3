// Text of the language to syntax.

#pragma once

#include <string_view>

#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"
#include "pamela/syntax/token_reader.h"

namespace parcast::pamela {

// The right side of an equation: processes and numeric expressions, by recursive descent, a function a rule.
//
// Adds nodes to the syntax. After an error that no bracket of the term confines, the reader is lost.
SyntaxId read_term(TokenReader& reader, Syntax& syntax, EquationKind kind);

// A model's text as a syntax tree. What cannot be read is an error among the diagnostics, and an `unreadable`
// in the tree: reading goes on behind the matching bracket, or at the next equation, so that one run finds
// many errors.
//
// The grammar is in docs/formats/pamela.md.
Syntax parse(std::string_view text, DiagnosticList& diagnostics);

}  // namespace parcast::pamela
