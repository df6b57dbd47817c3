// empirical("times.txt"): the moments of a file of samples, told with their standard errors.

#pragma once

#include <optional>

#include "pamela/compile.h"
#include "pamela/lowering/expression_builder.h"
#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

// Nothing after an error, which is said.
std::optional<symbolic::Expression> sampled_law(SyntaxNode const& call, SyntaxNode const& file,
                                                ReadFile const& read_file, ExpressionBuilder& builder,
                                                DiagnosticList& diagnostics);

}  // namespace parcast::pamela
