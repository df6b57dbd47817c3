// A resolved syntax tree as a process model: every name is replaced by the right side of its equation
// (term_lowering.h), and types are checked on the way. An equation is lowered once for each different list of
// arguments.

#pragma once

#include <span>

#include "pamela/compile.h"
#include "pamela/lowering/names.h"
#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

// The model is useless if there are errors. Settings are for numeric equations without formal parameters.
ProcessModel lower(Syntax const& syntax, Names const& names, std::span<Setting const> settings,
                   ReadFile const& read_file, DiagnosticList& diagnostics);

}  // namespace parcast::pamela
