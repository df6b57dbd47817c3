// A model's text as a syntax tree. What cannot be read is an error among the diagnostics, and an `unreadable`
// in the tree: reading goes on behind the matching bracket, or at the next equation, so that one run finds
// many errors.
//
// The grammar is in docs/formats/pamela.md.

#pragma once

#include <string_view>

#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

Syntax parse(std::string_view text, DiagnosticList& diagnostics);

}  // namespace parcast::pamela
